// The library as the driver loads it (CUDA_INJECTION64_PATH) and as NVTX loads it (NVTX_INJECTION64_PATH):
// whichever comes first makes the recorder.
#include "cupti/recorder.h"
#include "nvtx/hooks.h"

namespace {

std::uint64_t keep(const wbRangeRecord* record) {
  return workbook::cupti::Recorder::get().on_range(*record);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int InitializeInjection() {
  workbook::cupti::Recorder::get().start();
  return 1;
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  workbook::cupti::Recorder::get();
  return workbook::nvtx::attach(get_table, keep);
}
}
