#include "ptx/special.h"

#include <charconv>
#include <unordered_map>

namespace workbook::ptx {

namespace {

// In the order of enum class Special.
constexpr std::string_view names[] = {
    "none",
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%total_smem_size",
    "%dynamic_smem_size",
    "%aggr_smem_size",
    "%envreg",
    "%clusterid.x",
    "%clusterid.y",
    "%clusterid.z",
    "%nclusterid.x",
    "%nclusterid.y",
    "%nclusterid.z",
    "%cluster_ctaid.x",
    "%cluster_ctaid.y",
    "%cluster_ctaid.z",
    "%cluster_nctaid.x",
    "%cluster_nctaid.y",
    "%cluster_nctaid.z",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%is_explicit_cluster",
};
static_assert(std::size(names) == static_cast<std::size_t>(Special::is_explicit_cluster) + 1);

}  // namespace

std::string_view name_of(Special special) {
  return names[static_cast<std::size_t>(special)];
}

std::optional<SpecialName> find_special(std::string_view name) {
  static const auto* table = [] {
    auto* map = new std::unordered_map<std::string_view, Special>;
    for (std::size_t i = 1; i < std::size(names); ++i) map->emplace(names[i], static_cast<Special>(i));
    return map;
  }();
  if (!name.starts_with('%')) return {};
  constexpr std::string_view numbered = "%envreg";
  if (name.starts_with(numbered)) {
    const std::string_view digits = name.substr(numbered.size());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() || number > 31) return {};
    return SpecialName{Special::envreg, number};
  }
  const auto found = table->find(name);
  if (found == table->end()) return {};
  return SpecialName{found->second, no_index};
}

}  // namespace workbook::ptx
