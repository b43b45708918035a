// What nvcc's start-up code calls before main, and the two halves of a <<<>>> launch.
#include <cstdio>

#include "cudart/api.h"
#include "cudart/call.h"
#include "cudart/frames.h"
#include "cudart/launch.h"
#include "cudart/modules.h"

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it

WORKBOOK_EXPORT void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(Modules::get().add(wrapper));
}

WORKBOOK_EXPORT void __cudaRegisterFatBinaryEnd(void**) {}

WORKBOOK_EXPORT void __cudaUnregisterFatBinary(void** handle) {
  Modules::get().remove(reinterpret_cast<ModuleEntry*>(handle));
}

WORKBOOK_EXPORT void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* name,
                                            int, uint3*, uint3*, dim3*, dim3*, int*) {
  Modules::get().add_kernel(reinterpret_cast<ModuleEntry*>(handle), host_function, name);
}

WORKBOOK_EXPORT void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* name, int,
                                       std::size_t size, int constant, int) {
  Modules::get().add_variable(reinterpret_cast<ModuleEntry*>(handle), host_variable, name, size,
                              constant != 0, false);
}

WORKBOOK_EXPORT void __cudaRegisterManagedVar(void** handle, void** host_variable, char*, const char* name,
                                              int, std::size_t size, int constant, int) {
  Modules::get().add_variable(reinterpret_cast<ModuleEntry*>(handle), host_variable, name, size,
                              constant != 0, true);
  std::fprintf(stderr,
               "workbook: the __managed__ variable '%s' is not supported on the simulated device yet: "
               "the host can't use it; take cudaMallocManaged instead\n",
               name);
}

WORKBOOK_EXPORT char __cudaInitModule(void**) {
  return 1;
}

WORKBOOK_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                                     struct CUstream_st* stream) {
  // The stack is taken here, in the function that holds the <<<>>>: the stub that follows is often entered by
  // a jump, and the learner's function is gone from the stack by then.
  Operation operation;
  push_configuration({grid, block, shared, stream, capture_frames()});
  return 0;
}

WORKBOOK_EXPORT cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared,
                                                       void* stream) {
  const CallConfiguration* const configuration = pop_configuration();
  if (configuration == nullptr) return remember(cudaErrorMissingConfiguration);
  *grid = configuration->grid;
  *block = configuration->block;
  *shared = configuration->shared;
  *static_cast<cudaStream_t*>(stream) = configuration->stream;
  return cudaSuccess;
}

WORKBOOK_EXPORT cudaError_t __cudaGetKernel(cudaKernel_t* out, const void* host_function) {
  Kernel* const kernel = Modules::get().find(host_function);
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  *out = reinterpret_cast<cudaKernel_t>(kernel);
  return cudaSuccess;
}
