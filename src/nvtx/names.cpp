#include "nvtx/names.h"

#include <mutex>

namespace workbook::nvtx {

Names& Names::get() {
  static Names* const names = new Names;  // never destroyed: see the header
  return *names;
}

const Domain* Names::domain(const std::string& name, bool& is_new) {
  const std::lock_guard guard(lock_);
  const auto [entry, fresh] = domains_.try_emplace(name, Domain{name});
  is_new = fresh;
  return &entry->second;
}

const RegisteredText* Names::text(const Domain* domain, const std::string& text, bool& is_new) {
  const std::lock_guard guard(lock_);
  const auto [entry, fresh] = texts_.try_emplace({domain, text}, RegisteredText{text});
  is_new = fresh;
  return &entry->second;
}

void Names::name_category(const Domain* domain, std::uint32_t category, const std::string& name) {
  const std::lock_guard guard(lock_);
  categories_[{domain, category}] = name;
}

std::string Names::category_name(const Domain* domain, std::uint32_t category) {
  const std::lock_guard guard(lock_);
  const auto found = categories_.find({domain, category});
  return found == categories_.end() ? std::string() : found->second;
}

std::string narrow(const wchar_t* text) {
  std::string out;
  for (; text != nullptr && *text != L'\0'; ++text) {
    const auto c = static_cast<std::uint32_t>(*text);
    const bool valid = c < 0x110000 && (c < 0xd800 || c > 0xdfff);
    if (!valid) {
      out += '?';
    } else if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += {static_cast<char>(0xc0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3f))};
    } else if (c < 0x10000) {
      out += {static_cast<char>(0xe0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 0x3f)),
              static_cast<char>(0x80 | (c & 0x3f))};
    } else {
      out += {static_cast<char>(0xf0 | (c >> 18)), static_cast<char>(0x80 | ((c >> 12) & 0x3f)),
              static_cast<char>(0x80 | ((c >> 6) & 0x3f)), static_cast<char>(0x80 | (c & 0x3f))};
    }
  }
  return out;
}

}  // namespace workbook::nvtx
