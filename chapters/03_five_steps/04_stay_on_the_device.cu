// 3.4  Stay on the device
//
// prepare centers, scales and clips n floats: three kernels. After each of them the numbers go home to the
// host, only to come back for the next. First keep them on the device. Then look at what three kernels do to
// device memory, and make one of them: prepare_device.
//
// When it works, one array crosses the bus each way, and the one kernel takes about as long as a copy.
#include <cuda_runtime.h>

__global__ void center(const float* d_x, float* d_y, int n, float mean) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = d_x[i] - mean;
}

__global__ void scale_by(const float* d_x, float* d_y, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = d_x[i] * scale;
}

__global__ void clip(const float* d_x, float* d_y, int n, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = fminf(fmaxf(d_x[i], -limit), limit);
}

// From device memory to device memory: d_y = clip((d_x - mean) * scale). One kernel; does not wait for it.
// Returns the launch's own error, whatever failed before. The arrays hold numbers, never NaN.
cudaError_t prepare_device(const float* d_x, float* d_y, int n, float mean, float scale, float limit) {
  // TODO: prepare_device. You will see "d_y[0] is poison" go away.
  (void)d_x, (void)d_y, (void)n, (void)mean, (void)scale, (void)limit;
  return cudaSuccess;
}

// Takes n floats to the device, launches something there, takes n floats back.
template <class Launch>
cudaError_t round_trip(const float* x, float* y, int n, Launch launch) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr;
  cudaError_t status = cudaMalloc(&d_x, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&d_y, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = launch(d_x, d_y);
  if (status == cudaSuccess) status = cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_y);
  cudaFree(d_x);
  return status;
}

// The same from host memory to host memory, for every n from 0 up.
cudaError_t prepare(const float* x, float* y, int n, float mean, float scale, float limit) {
  // TODO: prepare. One round trip is enough.
  if (n == 0) return cudaSuccess;
  const int grid = (n - 1) / 256 + 1;
  cudaError_t status = round_trip(x, y, n, [&](const float* d_x, float* d_y) {
    center<<<grid, 256>>>(d_x, d_y, n, mean);
    return cudaGetLastError();
  });
  if (status == cudaSuccess)
    status = round_trip(y, y, n, [&](const float* d_x, float* d_y) {
      scale_by<<<grid, 256>>>(d_x, d_y, n, scale);
      return cudaGetLastError();
    });
  if (status == cudaSuccess)
    status = round_trip(y, y, n, [&](const float* d_x, float* d_y) {
      clip<<<grid, 256>>>(d_x, d_y, n, limit);
      return cudaGetLastError();
    });
  return status;
}
