// Says to NVTX all that it can be told, in C and in C++, on two threads. Built twice: with the simulated
// runtime, and without any CUDA.
#include <nvtx3/nvToolsExt.h>

#include <nvtx3/nvtx3.hpp>
#include <thread>

#ifdef WITH_CUDA
#include <cuda_runtime_api.h>

#include "cudart/handshake.h"
#endif

struct Loader {
  static constexpr char const* name = "test.loader";
};
struct Decode {
  static constexpr char const* name = "decode";
  static constexpr uint32_t id = 7;
};
struct Batch {
  static constexpr char const* message = "batch";
};

namespace {

void work() {
#ifdef WITH_CUDA
  WORKBOOK_HANDSHAKE(wbHostWork)(100);
#endif
}

void plain_c() {
  nvtxRangePushA("outer");
  nvtxRangePushW(L"inn\u00e9r");
  work();
  nvtxRangePop();
  nvtxMarkA("here");
  nvtxRangePop();
  nvtxRangePop();  // one too many
  nvtxNameCategoryA(3, "io");
  nvtxEventAttributes_t a{};
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  a.category = 3;
  a.colorType = NVTX_COLOR_ARGB;
  a.color = 0xff00ff00;
  a.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
  a.payload.dValue = 2.5;
  a.messageType = NVTX_MESSAGE_TYPE_ASCII;
  a.message.ascii = "full";
  nvtxRangePushEx(&a);
  nvtxRangePop();
  nvtxEventAttributes_t forgotten{};
  forgotten.message.ascii = "lost";
  nvtxRangePushEx(&forgotten);
  nvtxRangePop();
}

void with_domains() {
  const auto& text = nvtx3::registered_string_in<Loader>::get<Batch>();
  const auto& category = nvtx3::named_category_in<Loader>::get<Decode>();
  for (int64_t i = 0; i < 2; ++i) {
    nvtx3::scoped_range_in<Loader> range{text, category, nvtx3::payload{i}};
    work();
  }
  nvtx3::scoped_range{"unnamed"};  // ends at once: the mistake the lessons speak of
}

}  // namespace

int main() {
  plain_c();
  with_domains();
  const nvtxRangeId_t across = nvtxRangeStartA("across");
  std::thread([across] {
    nvtxRangePushA("on the other thread");
    work();
    nvtxRangePop();
    nvtxRangeEnd(across);
  }).join();
#ifdef WITH_CUDA
  nvtxRangePushA("upload");
  void* device = nullptr;
  static char host[4096];
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  nvtxRangePop();
  cudaFree(device);
#endif
  nvtxRangePushA("never ends");
}
