// Host memory that the device reads and writes itself: mapped, and ordinary memory that is registered later.
#include <cstdio>
#include <cstdlib>

__global__ void hypotenuse(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] * a[i] + b[i] * b[i];
}

int main() {
  const int n = 4000;
  int *a, *b, *d_a, *d_b, *d_c;
  cudaHostAlloc(&a, n * sizeof(int), cudaHostAllocMapped);
  cudaHostAlloc(&b, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined);
  int* c = (int*)std::aligned_alloc(4096, 16384);
  cudaError_t registered = cudaHostRegister(c, n * sizeof(int), cudaHostRegisterMapped);
  std::printf("registered: %s\n", cudaGetErrorName(registered));
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = n - i;
    c[i] = -1;
  }
  cudaHostGetDevicePointer(&d_a, a, 0);
  cudaHostGetDevicePointer(&d_b, b, 0);
  cudaHostGetDevicePointer(&d_c, c, 0);
  hypotenuse<<<(n + 127) / 128, 128>>>(d_a, d_b, d_c, n);
  cudaError_t e = cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[i] != i * i + (n - i) * (n - i);
  std::printf("%s: c[1] = %d, %d wrong\n", cudaGetErrorName(e), c[1], wrong);
  cudaPointerAttributes pa, pc, pd;
  int* device;
  cudaMalloc(&device, 4);
  cudaPointerGetAttributes(&pa, a);
  cudaPointerGetAttributes(&pc, &wrong);
  cudaPointerGetAttributes(&pd, device);
  auto name = [](cudaMemoryType t) {
    return t == cudaMemoryTypeHost      ? "host"
           : t == cudaMemoryTypeDevice  ? "device"
           : t == cudaMemoryTypeManaged ? "managed"
                                        : "unregistered";
  };
  std::printf("a is %s, a local variable %s, device %s\n", name(pa.type), name(pc.type), name(pd.type));
  cudaFree(device);
  cudaHostUnregister(c);
  std::free(c);
  cudaFreeHost(a);
  cudaFreeHost(b);
  return wrong != 0;
}
