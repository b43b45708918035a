// What a profile has no field for stands here as an NVIDIA H200 gave it (driver 580, CUDA 13.0).
#include "cudart/device_facts.h"

#include <algorithm>
#include <cstring>

namespace workbook::cudart {

namespace {

int whole(std::uint64_t value) {
  return static_cast<int>(std::min<std::uint64_t>(value, INT32_MAX));
}

void fill_textures(cudaDeviceProp& p) {
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.maxTexture1D = p.maxTexture2D[0] = 131072;
  p.maxTexture2D[1] = 65536;
  p.maxTexture1DMipmap = p.maxTexture2DMipmap[0] = p.maxTexture2DMipmap[1] = 32768;
  p.maxTexture2DLinear[0] = 131072;
  p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture2DGather[0] = p.maxTexture2DGather[1] = 32768;
  std::fill_n(p.maxTexture3D, 3, 16384);
  p.maxTexture3DAlt[0] = p.maxTexture3DAlt[1] = 8192;
  p.maxTexture3DAlt[2] = 32768;
  p.maxTextureCubemap = 32768;
  p.maxTexture1DLayered[0] = p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768;
  p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = 2048;
  p.maxTextureCubemapLayered[0] = 32768;
  p.maxTextureCubemapLayered[1] = 2046;
  p.maxSurface1D = p.maxSurface1DLayered[0] = p.maxSurface2DLayered[0] = p.maxSurface2DLayered[1] = 32768;
  p.maxSurface2D[0] = 131072;
  p.maxSurface2D[1] = 65536;
  std::fill_n(p.maxSurface3D, 3, 16384);
  p.maxSurface1DLayered[1] = p.maxSurface2DLayered[2] = 2048;
  p.maxSurfaceCubemap = p.maxSurfaceCubemapLayered[0] = 32768;
  p.maxSurfaceCubemapLayered[1] = 2046;
}

void fill_abilities(cudaDeviceProp& p) {
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.ECCEnabled = 1;
  p.asyncEngineCount = 3;
  p.unifiedAddressing = 1;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.computePreemptionSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.cooperativeLaunch = 1;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  p.unifiedFunctionPointers = 1;
  p.hostNumaId = -1;
  // What the simulated device doesn't have: clusters, IPC, RDMA, sparse arrays.
}

}  // namespace

cudaDeviceProp properties(const model::Profile& profile) {
  const sim::Limits& limits = model::limits_of(profile);
  cudaDeviceProp p;
  std::memset(&p, 0, sizeof p);
  const std::string name = model::device_name_of(profile);
  std::strncpy(p.name, name.c_str(), sizeof p.name - 1);
  std::strncpy(p.uuid.bytes, model::name_of(profile).c_str(), sizeof p.uuid.bytes - 1);
  p.totalGlobalMem = limits.memory_bytes;
  p.sharedMemPerBlock = limits.shared_bytes_per_block;
  p.regsPerBlock = whole(limits.registers_per_sm);
  p.warpSize = 32;
  p.memPitch = INT32_MAX;
  p.maxThreadsPerBlock = whole(limits.max_threads_per_block);
  for (std::size_t i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = whole(limits.max_block[i]);
    p.maxGridSize[i] = whole(limits.max_grid[i]);
  }
  p.totalConstMem = 65536;
  p.major = 9;
  p.minor = 0;
  p.multiProcessorCount = whole(limits.sm_count);
  p.memoryBusWidth = 6016;
  p.l2CacheSize = whole(limits.l2_bytes);
  p.persistingL2CacheMaxSize = whole(limits.l2_bytes / 8 * 5);
  p.maxThreadsPerMultiProcessor = whole(limits.max_threads_per_sm);
  p.sharedMemPerMultiprocessor = limits.shared_bytes_per_sm;
  p.regsPerMultiprocessor = whole(limits.registers_per_sm);
  p.sharedMemPerBlockOptin = limits.shared_bytes_per_block_optin;
  p.maxBlocksPerMultiProcessor = whole(limits.max_blocks_per_sm);
  p.accessPolicyMaxWindowSize = 134217728;
  p.reservedSharedMemPerBlock = 1024;
  fill_textures(p);
  fill_abilities(p);
  return p;
}

bool device_attribute(const model::Profile& profile, int attribute, int& value) {
  const cudaDeviceProp p = properties(profile);
  const sim::Limits& limits = model::limits_of(profile);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      value = p.maxThreadsPerBlock;
      return true;
    case cudaDevAttrMaxBlockDimX:
      value = p.maxThreadsDim[0];
      return true;
    case cudaDevAttrMaxBlockDimY:
      value = p.maxThreadsDim[1];
      return true;
    case cudaDevAttrMaxBlockDimZ:
      value = p.maxThreadsDim[2];
      return true;
    case cudaDevAttrMaxGridDimX:
      value = p.maxGridSize[0];
      return true;
    case cudaDevAttrMaxGridDimY:
      value = p.maxGridSize[1];
      return true;
    case cudaDevAttrMaxGridDimZ:
      value = p.maxGridSize[2];
      return true;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      value = static_cast<int>(p.sharedMemPerBlock);
      return true;
    case cudaDevAttrTotalConstantMemory:
      value = static_cast<int>(p.totalConstMem);
      return true;
    case cudaDevAttrWarpSize:
      value = p.warpSize;
      return true;
    case cudaDevAttrMaxPitch:
      value = static_cast<int>(p.memPitch);
      return true;
    case cudaDevAttrMaxRegistersPerBlock:
      value = p.regsPerBlock;
      return true;
    case cudaDevAttrClockRate:
      value = whole(limits.clock_khz);
      return true;
    case cudaDevAttrTextureAlignment:
      value = static_cast<int>(p.textureAlignment);
      return true;
    case cudaDevAttrGpuOverlap:
      value = 1;
      return true;
    case cudaDevAttrMultiProcessorCount:
      value = p.multiProcessorCount;
      return true;
    case cudaDevAttrKernelExecTimeout:
      value = 0;
      return true;
    case cudaDevAttrIntegrated:
      value = 0;
      return true;
    case cudaDevAttrCanMapHostMemory:
      value = p.canMapHostMemory;
      return true;
    case cudaDevAttrComputeMode:
      value = 0;
      return true;
    case cudaDevAttrConcurrentKernels:
      value = p.concurrentKernels;
      return true;
    case cudaDevAttrEccEnabled:
      value = p.ECCEnabled;
      return true;
    case cudaDevAttrPciBusId:
    case cudaDevAttrPciDeviceId:
    case cudaDevAttrPciDomainId:
    case cudaDevAttrTccDriver:
      value = 0;
      return true;
    case cudaDevAttrMemoryClockRate:
      value = 3201000;
      return true;
    case cudaDevAttrGlobalMemoryBusWidth:
      value = p.memoryBusWidth;
      return true;
    case cudaDevAttrL2CacheSize:
      value = p.l2CacheSize;
      return true;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      value = p.maxThreadsPerMultiProcessor;
      return true;
    case cudaDevAttrAsyncEngineCount:
      value = p.asyncEngineCount;
      return true;
    case cudaDevAttrUnifiedAddressing:
      value = p.unifiedAddressing;
      return true;
    case cudaDevAttrComputeCapabilityMajor:
      value = p.major;
      return true;
    case cudaDevAttrComputeCapabilityMinor:
      value = p.minor;
      return true;
    case cudaDevAttrStreamPrioritiesSupported:
      value = p.streamPrioritiesSupported;
      return true;
    case cudaDevAttrGlobalL1CacheSupported:
      value = p.globalL1CacheSupported;
      return true;
    case cudaDevAttrLocalL1CacheSupported:
      value = p.localL1CacheSupported;
      return true;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      value = static_cast<int>(p.sharedMemPerMultiprocessor);
      return true;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      value = p.regsPerMultiprocessor;
      return true;
    case cudaDevAttrManagedMemory:
      value = p.managedMemory;
      return true;
    case cudaDevAttrIsMultiGpuBoard:
    case cudaDevAttrMultiGpuBoardGroupID:
    case cudaDevAttrHostNativeAtomicSupported:
      value = 0;
      return true;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      value = 2;
      return true;
    case cudaDevAttrPageableMemoryAccess:
      value = 0;
      return true;
    case cudaDevAttrConcurrentManagedAccess:
      value = p.concurrentManagedAccess;
      return true;
    case cudaDevAttrComputePreemptionSupported:
      value = p.computePreemptionSupported;
      return true;
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
      value = p.canUseHostPointerForRegisteredMem;
      return true;
    case cudaDevAttrCooperativeLaunch:
      value = p.cooperativeLaunch;
      return true;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      value = static_cast<int>(p.sharedMemPerBlockOptin);
      return true;
    case cudaDevAttrHostRegisterSupported:
      value = p.hostRegisterSupported;
      return true;
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
    case cudaDevAttrDirectManagedMemAccessFromHost:
      value = 0;
      return true;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      value = p.maxBlocksPerMultiProcessor;
      return true;
    case cudaDevAttrMaxPersistingL2CacheSize:
      value = p.persistingL2CacheMaxSize;
      return true;
    case cudaDevAttrMaxAccessPolicyWindowSize:
      value = p.accessPolicyMaxWindowSize;
      return true;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      value = static_cast<int>(p.reservedSharedMemPerBlock);
      return true;
    case cudaDevAttrMemoryPoolsSupported:
      value = p.memoryPoolsSupported;
      return true;
    case cudaDevAttrHostNumaId:
      value = p.hostNumaId;
      return true;
    default:
      // Textures, clusters, IPC and the like exist as attributes, and the simulated device has none of it.
      if (attribute < 1 || attribute >= cudaDevAttrMax) return false;
      value = 0;
      return true;
  }
}

}  // namespace workbook::cudart
