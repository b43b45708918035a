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

struct Facts {
  const cudaDeviceProp& p;
  const sim::Limits& limits;
};

struct AttributeRow {
  int attribute;
  int (*value)(Facts);
};
constexpr AttributeRow attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, [](Facts f) { return f.p.maxThreadsPerBlock; }},
    {cudaDevAttrMaxBlockDimX, [](Facts f) { return f.p.maxThreadsDim[0]; }},
    {cudaDevAttrMaxBlockDimY, [](Facts f) { return f.p.maxThreadsDim[1]; }},
    {cudaDevAttrMaxBlockDimZ, [](Facts f) { return f.p.maxThreadsDim[2]; }},
    {cudaDevAttrMaxGridDimX, [](Facts f) { return f.p.maxGridSize[0]; }},
    {cudaDevAttrMaxGridDimY, [](Facts f) { return f.p.maxGridSize[1]; }},
    {cudaDevAttrMaxGridDimZ, [](Facts f) { return f.p.maxGridSize[2]; }},
    {cudaDevAttrMaxSharedMemoryPerBlock, [](Facts f) { return static_cast<int>(f.p.sharedMemPerBlock); }},
    {cudaDevAttrTotalConstantMemory, [](Facts f) { return static_cast<int>(f.p.totalConstMem); }},
    {cudaDevAttrWarpSize, [](Facts f) { return f.p.warpSize; }},
    {cudaDevAttrMaxPitch, [](Facts f) { return static_cast<int>(f.p.memPitch); }},
    {cudaDevAttrMaxRegistersPerBlock, [](Facts f) { return f.p.regsPerBlock; }},
    {cudaDevAttrClockRate, [](Facts f) { return whole(f.limits.clock_khz); }},
    {cudaDevAttrTextureAlignment, [](Facts f) { return static_cast<int>(f.p.textureAlignment); }},
    {cudaDevAttrGpuOverlap, [](Facts) { return 1; }},
    {cudaDevAttrMultiProcessorCount, [](Facts f) { return f.p.multiProcessorCount; }},
    {cudaDevAttrKernelExecTimeout, [](Facts) { return 0; }},
    {cudaDevAttrIntegrated, [](Facts) { return 0; }},
    {cudaDevAttrCanMapHostMemory, [](Facts f) { return f.p.canMapHostMemory; }},
    {cudaDevAttrComputeMode, [](Facts) { return 0; }},
    {cudaDevAttrConcurrentKernels, [](Facts f) { return f.p.concurrentKernels; }},
    {cudaDevAttrEccEnabled, [](Facts f) { return f.p.ECCEnabled; }},
    {cudaDevAttrPciBusId, [](Facts) { return 0; }},
    {cudaDevAttrPciDeviceId, [](Facts) { return 0; }},
    {cudaDevAttrPciDomainId, [](Facts) { return 0; }},
    {cudaDevAttrTccDriver, [](Facts) { return 0; }},
    {cudaDevAttrMemoryClockRate, [](Facts) { return 3201000; }},
    {cudaDevAttrGlobalMemoryBusWidth, [](Facts f) { return f.p.memoryBusWidth; }},
    {cudaDevAttrL2CacheSize, [](Facts f) { return f.p.l2CacheSize; }},
    {cudaDevAttrMaxThreadsPerMultiProcessor, [](Facts f) { return f.p.maxThreadsPerMultiProcessor; }},
    {cudaDevAttrAsyncEngineCount, [](Facts f) { return f.p.asyncEngineCount; }},
    {cudaDevAttrUnifiedAddressing, [](Facts f) { return f.p.unifiedAddressing; }},
    {cudaDevAttrComputeCapabilityMajor, [](Facts f) { return f.p.major; }},
    {cudaDevAttrComputeCapabilityMinor, [](Facts f) { return f.p.minor; }},
    {cudaDevAttrStreamPrioritiesSupported, [](Facts f) { return f.p.streamPrioritiesSupported; }},
    {cudaDevAttrGlobalL1CacheSupported, [](Facts f) { return f.p.globalL1CacheSupported; }},
    {cudaDevAttrLocalL1CacheSupported, [](Facts f) { return f.p.localL1CacheSupported; }},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
     [](Facts f) { return static_cast<int>(f.p.sharedMemPerMultiprocessor); }},
    {cudaDevAttrMaxRegistersPerMultiprocessor, [](Facts f) { return f.p.regsPerMultiprocessor; }},
    {cudaDevAttrManagedMemory, [](Facts f) { return f.p.managedMemory; }},
    {cudaDevAttrIsMultiGpuBoard, [](Facts) { return 0; }},
    {cudaDevAttrMultiGpuBoardGroupID, [](Facts) { return 0; }},
    {cudaDevAttrHostNativeAtomicSupported, [](Facts) { return 0; }},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, [](Facts) { return 2; }},
    {cudaDevAttrPageableMemoryAccess, [](Facts) { return 0; }},
    {cudaDevAttrConcurrentManagedAccess, [](Facts f) { return f.p.concurrentManagedAccess; }},
    {cudaDevAttrComputePreemptionSupported, [](Facts f) { return f.p.computePreemptionSupported; }},
    {cudaDevAttrCanUseHostPointerForRegisteredMem,
     [](Facts f) { return f.p.canUseHostPointerForRegisteredMem; }},
    {cudaDevAttrCooperativeLaunch, [](Facts f) { return f.p.cooperativeLaunch; }},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin,
     [](Facts f) { return static_cast<int>(f.p.sharedMemPerBlockOptin); }},
    {cudaDevAttrHostRegisterSupported, [](Facts f) { return f.p.hostRegisterSupported; }},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, [](Facts) { return 0; }},
    {cudaDevAttrDirectManagedMemAccessFromHost, [](Facts) { return 0; }},
    {cudaDevAttrMaxBlocksPerMultiprocessor, [](Facts f) { return f.p.maxBlocksPerMultiProcessor; }},
    {cudaDevAttrMaxPersistingL2CacheSize, [](Facts f) { return f.p.persistingL2CacheMaxSize; }},
    {cudaDevAttrMaxAccessPolicyWindowSize, [](Facts f) { return f.p.accessPolicyMaxWindowSize; }},
    {cudaDevAttrReservedSharedMemoryPerBlock,
     [](Facts f) { return static_cast<int>(f.p.reservedSharedMemPerBlock); }},
    {cudaDevAttrMemoryPoolsSupported, [](Facts f) { return f.p.memoryPoolsSupported; }},
    {cudaDevAttrHostNumaId, [](Facts f) { return f.p.hostNumaId; }},
};

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
  // Textures, clusters, IPC and the like exist as attributes, and the simulated device has none of it.
  if (attribute < 1 || attribute >= cudaDevAttrMax) return false;
  value = 0;
  const cudaDeviceProp p = properties(profile);
  for (const AttributeRow& row : attributes) {
    if (row.attribute == attribute) value = row.value({p, model::limits_of(profile)});
  }
  return true;
}

}  // namespace workbook::cudart
