#include <cstdlib>
#include <cstring>

#include "sim/exec.h"

namespace workbook::sim {

namespace exec_base {
extern const HandlerSet table;
}
namespace exec_avx2 {
extern const HandlerSet table;
}

// WORKBOOK_HANDLERS=plain: the set for any x86-64, so that it can be tested where there is a better one.
const HandlerSet& handlers() {
#if defined(__x86_64__)
  static const bool fast = [] {
    const char* wish = std::getenv("WORKBOOK_HANDLERS");
    if (wish != nullptr && std::strcmp(wish, "plain") == 0) return false;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
  }();
  if (fast) return exec_avx2::table;
#endif
  return exec_base::table;
}

}  // namespace workbook::sim
