// Pairs of names for the linker's --wrap: the call as the program made it, and the function it meant.
#pragma once

#include <cuda_runtime_api.h>

#include "harness/runner/recorder.h"

// WRAP(cudaFree, (void* p)) declares __real_cudaFree and opens the definition of __wrap_cudaFree.
#define WRAP(name, parameters)                     \
  extern "C" cudaError_t __real_##name parameters; \
  extern "C" __attribute__((visibility("default"))) cudaError_t __wrap_##name parameters
