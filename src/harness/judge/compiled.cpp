#include "workbook/compiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <tuple>

#include "harness/judge/cases.h"
#include "harness/judge/compiler_report.h"
#include "harness/judge/options.h"
#include "ptx/fatbin.h"
#include "trace/symbolize.h"

namespace workbook {

struct Compiled::State {
  std::vector<std::vector<ptx::Image>> files;  // by object file
  std::vector<DeviceImage> images;
  std::vector<CompiledKernel> kernels;
};

namespace judge {

std::vector<CompiledKernel> parse_ptxas_report(std::string_view text) {
  static const std::regex entry(R"(Compiling entry function '([^']+)' for '([^']+)')");
  static const std::regex memory(
      R"((\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)");
  static const std::regex used(R"(Used (\d+) registers)");
  std::vector<CompiledKernel> kernels;
  std::istringstream in{std::string(text)};
  // "Function properties for NAME" also comes for functions that are called: only the kernel's own count.
  bool own = false;
  std::string mangled;
  for (std::string line; std::getline(in, line);) {
    std::smatch m;
    if (std::regex_search(line, m, entry)) {
      mangled = m[1];
      kernels.push_back({trace::function_name(trace::demangled(mangled)), m[2], 0, 0, 0, 0});
      own = true;
    } else if (line.find("Function properties for ") != std::string::npos) {
      own = line.find(mangled) != std::string::npos;
    } else if (kernels.empty()) {
      continue;
    } else if (own && std::regex_search(line, m, memory)) {
      kernels.back().stack = std::stoull(m[1]);
      kernels.back().spill_stores = std::stoull(m[2]);
      kernels.back().spill_loads = std::stoull(m[3]);
    } else if (std::regex_search(line, m, used)) {
      kernels.back().registers = static_cast<unsigned>(std::stoul(m[1]));
    }
  }
  return kernels;
}

std::size_t instructions_of_type(std::string_view ptx, std::string_view type) {
  const std::string wanted = fmt::format(".{}", type);
  std::size_t count = 0;
  std::istringstream in{std::string(ptx)};
  for (std::string line; std::getline(in, line);) {
    // An instruction begins with its name, after a predicate at most; directives begin with a dot.
    std::size_t at = line.find_first_not_of(" \t");
    if (at != std::string::npos && line[at] == '@')
      at = line.find_first_not_of(" \t", line.find_first_of(" \t", at));
    if (at == std::string::npos || line[at] < 'a' || line[at] > 'z') continue;
    const std::string name = line.substr(at, line.find_first_of(" \t;", at) - at);
    for (std::size_t found = name.find(wanted); found != std::string::npos;
         found = name.find(wanted, found + 1)) {
      const std::size_t end = found + wanted.size();
      if (end == name.size() || name[end] == '.') {
        ++count;
        break;
      }
    }
  }
  return count;
}

namespace {

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) grader_error(fmt::format("{} cannot be read", path));
  return {std::istreambuf_iterator<char>(in), {}};
}

std::shared_ptr<const Compiled::State> look_at_objects() {
  auto state = std::make_shared<Compiled::State>();
  for (const auto& path : options().learner_objects) {
    const std::string bytes = read_whole(path);
    try {
      auto images =
          ptx::read_program_images({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
      if (!images.empty()) state->files.push_back(std::move(images));
    } catch (const ptx::FatbinError& error) {
      grader_error(fmt::format("{}: {}", path, error.what()));
    }
  }
  for (const auto& file : state->files) {
    for (const auto& image : file)
      state->images.push_back({image.kind == ptx::ImageKind::ptx, image.arch, image.variant, image.name()});
  }
  auto& images = state->images;
  std::sort(images.begin(), images.end(), [](const DeviceImage& a, const DeviceImage& b) {
    return std::tie(a.arch, a.variant, a.ptx) < std::tie(b.arch, b.variant, b.ptx);
  });
  const auto same = [](const DeviceImage& a, const DeviceImage& b) { return a.name == b.name; };
  images.erase(std::unique(images.begin(), images.end(), same), images.end());
  for (const auto& path : options().compiler_reports) {
    for (auto& kernel : parse_ptxas_report(read_whole(path))) state->kernels.push_back(std::move(kernel));
  }
  return state;
}

// Machine code goes before text; of each sort, the newest that fits.
ForDevice chosen(const std::vector<ptx::Image>& images, unsigned device) {
  ForDevice out;
  const ptx::Image* best = nullptr;
  for (const auto& image : images) {
    if (!image.fits(device)) continue;
    const bool code = image.kind == ptx::ImageKind::cubin;
    const bool best_is_code = best != nullptr && best->kind == ptx::ImageKind::cubin;
    if (best == nullptr || (code && !best_is_code) || (code == best_is_code && image.arch >= best->arch))
      best = &image;
  }
  if (best == nullptr) return out;
  out.how = best->kind == ptx::ImageKind::cubin ? HowItRuns::machine_code : HowItRuns::compiled_at_start;
  out.image = best->name();
  return out;
}

}  // namespace

}  // namespace judge

const std::vector<DeviceImage>& Compiled::images() const {
  return state_->images;
}

ForDevice Compiled::on(unsigned compute_capability) const {
  ForDevice worst;
  for (std::size_t i = 0; i < state_->files.size(); ++i) {
    const ForDevice one = judge::chosen(state_->files[i], compute_capability);
    if (i == 0 || one.how > worst.how) worst = one;
  }
  return worst;
}

const std::vector<CompiledKernel>& Compiled::kernels() const {
  return state_->kernels;
}

std::size_t Compiled::instructions_of_type(std::string_view type) const {
  std::size_t count = 0;
  for (const auto& file : state_->files) {
    for (const auto& image : file) {
      if (image.kind == ptx::ImageKind::ptx) count += judge::instructions_of_type(image.text(), type);
    }
  }
  return count;
}

const Compiled& compiled() {
  static const Compiled instance(judge::look_at_objects());
  return instance;
}

}  // namespace workbook
