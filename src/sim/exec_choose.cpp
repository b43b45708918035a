#include "sim/exec.h"

namespace workbook::sim {

namespace exec_base {
extern const HandlerSet table;
}
namespace exec_avx2 {
extern const HandlerSet table;
}

const HandlerSet& handlers() {
#if defined(__x86_64__)
  static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (fast) return exec_avx2::table;
#endif
  return exec_base::table;
}

}  // namespace workbook::sim
