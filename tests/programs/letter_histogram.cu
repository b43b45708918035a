// How often each letter occurs in a text: with atomics in global memory, then with a private histogram per
// block.
#include <cstdio>
#include <cstring>
#include <string>

__global__ void count_global(const char* text, int length, unsigned int* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    char c = text[i];
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    if (c >= 'a' && c <= 'z') atomicAdd(&bins[c - 'a'], 1);
  }
}

__global__ void count_private(const char* text, int length, unsigned int* bins) {
  __shared__ unsigned int mine[26];
  if (threadIdx.x < 26) mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    char c = text[i];
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    if (c >= 'a' && c <= 'z') atomicAdd(&mine[c - 'a'], 1);
  }
  __syncthreads();
  if (threadIdx.x < 26) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main() {
  std::string text;
  for (int k = 0; k < 400; ++k) {
    text += "Sphinx of black quartz, judge my vow! Verse " + std::to_string(k) + ".\n";
    if (k % 3 == 0) text += "Every third line has a second sentence.\n";
  }
  const int length = text.size();
  unsigned int expected[26] = {}, got[26];
  for (char c : text) {
    if (std::strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", c)) c += 32;
    if (c >= 'a' && c <= 'z') ++expected[c - 'a'];
  }
  char* d_text;
  unsigned int* d_bins;
  cudaMalloc((void**)&d_text, length);
  cudaMalloc((void**)&d_bins, sizeof got);
  cudaMemcpy(d_text, text.data(), length, cudaMemcpyHostToDevice);
  int bad = 0;
  for (int which = 0; which < 2; ++which) {
    cudaMemset(d_bins, 0, sizeof got);
    if (which == 0)
      count_global<<<16, 128>>>(d_text, length, d_bins);
    else
      count_private<<<16, 128>>>(d_text, length, d_bins);
    cudaMemcpy(got, d_bins, sizeof got, cudaMemcpyDeviceToHost);
    bool same = std::memcmp(got, expected, sizeof got) == 0;
    std::printf("%s: %s\n", which == 0 ? "global atomics" : "private histograms", same ? "correct" : "wrong");
    bad += !same;
  }
  for (int l = 0; l < 26; ++l) {
    std::printf("%c %6u ", 'a' + l, got[l]);
    for (unsigned int k = 0; k < got[l] / 100; ++k) std::putchar('*');
    std::putchar('\n');
  }
  cudaFree(d_text);
  cudaFree(d_bins);
  return bad;
}
