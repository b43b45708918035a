// A fast Fourier transform of 512 points in shared memory, there and back, checked against the sum it stands
// for.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int N = 512, LOG = 9;

__device__ float2 operator+(float2 a, float2 b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
__device__ float2 operator-(float2 a, float2 b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
__device__ float2 operator*(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__global__ void fft(const float2* in, float2* out, float direction) {
  __shared__ float2 s[N];
  const int t = threadIdx.x;  // N / 2 threads
  s[__brev(t) >> (32 - LOG)] = in[blockIdx.x * N + t];
  s[__brev(t + N / 2) >> (32 - LOG)] = in[blockIdx.x * N + t + N / 2];
  for (int half = 1; half < N; half *= 2) {
    __syncthreads();
    const int k = t & (half - 1), place = 2 * t - k;
    float2 w;
    sincospif(direction * k / half, &w.y, &w.x);
    const float2 a = s[place], b = w * s[place + half];
    s[place] = a + b;
    s[place + half] = a - b;
  }
  __syncthreads();
  const float scale = direction > 0 ? 1.0f / N : 1.0f;
  for (int i = t; i < N; i += N / 2) out[blockIdx.x * N + i] = make_float2(s[i].x * scale, s[i].y * scale);
}

int main() {
  const int batch = 4;
  std::vector<float2> signal(batch * N), spectrum(batch * N), back(batch * N);
  for (int i = 0; i < batch * N; ++i)
    signal[i] =
        make_float2(std::sin(2 * M_PI * 5 * i / N) + 0.5 * std::cos(2 * M_PI * 60 * i / N) + i / N, 0);
  float2 *d_in, *d_out;
  cudaMalloc(&d_in, signal.size() * sizeof(float2));
  cudaMalloc(&d_out, signal.size() * sizeof(float2));
  cudaMemcpy(d_in, signal.data(), signal.size() * sizeof(float2), cudaMemcpyHostToDevice);
  fft<<<batch, N / 2>>>(d_in, d_out, -1.0f);
  cudaMemcpy(spectrum.data(), d_out, signal.size() * sizeof(float2), cudaMemcpyDeviceToHost);
  fft<<<batch, N / 2>>>(d_out, d_in, 1.0f);
  cudaMemcpy(back.data(), d_in, signal.size() * sizeof(float2), cudaMemcpyDeviceToHost);
  double worst = 0, worst_back = 0;
  for (int k = 0; k < N; k += 7) {
    double re = 0, im = 0;
    for (int i = 0; i < N; ++i) {
      re += signal[N + i].x * std::cos(-2 * M_PI * k * i / N);
      im += signal[N + i].x * std::sin(-2 * M_PI * k * i / N);
    }
    worst = std::fmax(worst, std::hypot(re - spectrum[N + k].x, im - spectrum[N + k].y));
  }
  for (int i = 0; i < batch * N; ++i) worst_back = std::fmax(worst_back, std::fabs(back[i].x - signal[i].x));
  for (int k : {5, 60})
    std::printf("frequency %2d: amplitude %.2f\n", k, 2 * std::hypot(spectrum[k].x, spectrum[k].y) / N);
  std::printf("%s, %s\n", worst < 0.01 ? "spectrum right" : "spectrum WRONG",
              worst_back < 1e-4 ? "there and back" : "LOST");
  cudaFree(d_in);
  cudaFree(d_out);
  return worst >= 0.01 || worst_back >= 1e-4;
}
