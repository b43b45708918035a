// The kernels of the first chapters: guard, grid-stride loop, two-dimensional index, several exits.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void stride(double* x, double factor, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= factor;
}

__global__ void transpose(const int4* from, int4* to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width) return;
  if (y >= height) return;
  to[x * height + y] = from[y * width + x];
}
