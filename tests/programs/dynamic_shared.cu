// Several arrays in one piece of dynamic shared memory, and more of it than the 48 KB that come without
// asking.
#include <cstdio>
#include <vector>

// doubles first, then ints, then bytes, so that each is aligned
__global__ void three_arrays(const int* in, double* means, int n) {
  extern __shared__ double memory[];
  double* sums = memory;
  int* counts = (int*)&sums[blockDim.x];
  unsigned char* marks = (unsigned char*)&counts[blockDim.x];
  const int t = threadIdx.x;
  sums[t] = 0;
  counts[t] = 0;
  marks[t] = t % 3;
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x) {
    if (marks[(t + 1) % blockDim.x] != 0) {
      sums[t] += in[i];
      counts[t] += 1;
    }
  }
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) {
      sums[t] += sums[t + d];
      counts[t] += counts[t + d];
    }
    __syncthreads();
  }
  if (t == 0) *means = sums[0] / counts[0];
}

__global__ void big_reverse(int* x, int n) {
  extern __shared__ int tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = x[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = tile[n - 1 - i];
}

int main() {
  const int n = 5000, block = 128;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i % 100;
  int* d_in;
  double *d_mean, mean, sum = 0;
  int count = 0;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_mean, sizeof(double));
  cudaMemcpy(d_in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  three_arrays<<<1, block, block*(sizeof(double) + sizeof(int) + 1)>>>(d_in, d_mean, n);
  cudaMemcpy(&mean, d_mean, sizeof mean, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if ((i % block + 1) % block % 3 != 0) sum += host[i], ++count;
  std::printf("mean of the marked: %.6f (%.6f)\n", mean, sum / count);

  const int big = 20000;  // 80000 bytes
  std::vector<int> values(big), got(big);
  for (int i = 0; i < big; ++i) values[i] = i * 3;
  int* d_big;
  cudaMalloc(&d_big, big * sizeof(int));
  cudaMemcpy(d_big, values.data(), big * sizeof(int), cudaMemcpyHostToDevice);
  big_reverse<<<1, 256, big * sizeof(int)>>>(d_big, big);
  std::printf("80000 bytes without asking: %s\n", cudaGetErrorName(cudaGetLastError()));
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  std::printf("this device gives up to %d bytes to who asks\n", most);
  cudaFuncSetAttribute(big_reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, big * sizeof(int));
  big_reverse<<<1, 256, big * sizeof(int)>>>(d_big, big);
  std::printf("after asking: %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaMemcpy(got.data(), d_big, big * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < big; ++i) wrong += got[i] != values[big - 1 - i];
  std::printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_mean);
  cudaFree(d_big);
  return wrong != 0 || mean != sum / count;
}
