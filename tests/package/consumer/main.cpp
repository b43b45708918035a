// Transposes a matrix and sums it up with the installed library; ends with 0 when both are right.
#include <cuda_runtime_api.h>
#include <kernels/reduction/reduction.h>
#include <kernels/transpose/transpose.h>

#include <cstdio>
#include <vector>

int main() {
  const int rows = 33, columns = 65, count = rows * columns;
  std::vector<float> in(count), expected(count), got(count);
  double total = 0;
  for (int i = 0; i < count; ++i) total += in[i] = float(i % 7 + 1);
  workbook::kernels::transpose_reference(in.data(), expected.data(), rows, columns);

  const std::size_t bytes = count * sizeof(float);
  void *from = nullptr, *to = nullptr, *sum = nullptr;
  if (cudaMalloc(&from, bytes) != cudaSuccess || cudaMalloc(&to, bytes) != cudaSuccess ||
      cudaMalloc(&sum, sizeof(float)) != cudaSuccess ||
      cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
    std::fprintf(stderr, "no memory on the device: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  const auto* matrix = static_cast<const float*>(from);
  if (workbook::kernels::transpose(matrix, static_cast<float*>(to), rows, columns) != cudaSuccess ||
      workbook::kernels::sum(matrix, static_cast<float*>(sum), count) != cudaSuccess) {
    std::fprintf(stderr, "a launch failed\n");
    return 1;
  }
  float got_sum = 0;
  cudaMemcpy(got.data(), to, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(&got_sum, sum, sizeof(float), cudaMemcpyDeviceToHost);
  const bool right = got == expected && double(got_sum) == total;
  std::printf("%s\n", right ? "transposed and summed" : "wrong");
  return right ? 0 : 1;
}
