// The Mandelbrot set as text, one character a thread.
#include <cstdio>
#include <string>

struct Complex {
  double re, im;
  __host__ __device__ Complex operator*(const Complex& o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __host__ __device__ Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
  __host__ __device__ double norm() const { return re * re + im * im; }
};

__host__ __device__ int iterations(Complex c, int most) {
  Complex z{0, 0};
  int k = 0;
  while (k < most && z.norm() <= 4.0) {
    z = z * z + c;
    ++k;
  }
  return k;
}

__global__ void render(int* image, int width, int height, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const Complex c{-2.2 + 3.2 * x / width, -1.2 + 2.4 * y / height};
  image[y * width + x] = iterations(c, most);
}

int main() {
  const int width = 76, height = 31, most = 200;
  int* image = nullptr;
  cudaMallocManaged(&image, width * height * sizeof(int));
  render<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image, width, height, most);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const std::string shades = " .,:;i1tfLCG08@";
  int differ = 0;
  for (int y = 0; y < height; ++y) {
    std::string line;
    for (int x = 0; x < width; ++x) {
      const int k = image[y * width + x];
      line += k == most ? '#' : shades[k % shades.size()];
      const int cpu = iterations({-2.2 + 3.2 * x / width, -1.2 + 2.4 * y / height}, most);
      differ += cpu < k - 1 || cpu > k + 1;  // a fused multiply-add may turn the last step
    }
    std::printf("%s\n", line.c_str());
  }
  std::printf(differ > 5 ? "%d points differ from the CPU\n" : "the CPU sees the same picture\n", differ);
  cudaFree(image);
  return differ > 5;
}
