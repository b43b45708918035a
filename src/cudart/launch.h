// Launching a kernel: the configuration that <<<>>> pushes, the checks, the operation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cudart/api.h"
#include "cudart/modules.h"
#include "cudart/runtime.h"

namespace workbook::cudart {

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  Frames frames;
};
void push_configuration(CallConfiguration configuration);
// The one pushed last by this thread, which stays readable until the next pop; null when there is none.
const CallConfiguration* pop_configuration();
// The frames of the configuration popped last, once: they belong to the launch that follows.
Frames take_popped_frames();

struct Launch {
  const char* api = "cudaLaunchKernel";
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  void** arguments = nullptr;
  bool cooperative = false;
};
cudaError_t launch(Kernel* kernel, const Launch& launch, cudaError_t if_unknown);

// Why the device refuses the launch; empty when it doesn't. `error` gets the code.
std::string refused_shape(const sim::Limits& limits, const sim::FunctionFacts& facts,
                          std::uint32_t max_dynamic, const Launch& launch, cudaError_t& error);

}  // namespace workbook::cudart
