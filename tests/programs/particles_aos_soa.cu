// The same particles as an array of structs and as a struct of arrays: bounce in a box, same result.
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Particle {
  float x, y, vx, vy;
  unsigned char colour;
};
struct Particles {
  float *x, *y, *vx, *vy;
  unsigned char* colour;
};

__host__ __device__ inline void bounce(float& p, float& v, float dt) {
  p += v * dt;
  if (p < 0.0f) p = -p, v = -v;
  if (p > 1.0f) p = 2.0f - p, v = -v;
}

__global__ void step_aos(Particle* p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bounce(p[i].x, p[i].vx, dt);
  bounce(p[i].y, p[i].vy, dt);
  p[i].colour ^= 1;
}
__global__ void step_soa(Particles p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bounce(p.x[i], p.vx[i], dt);
  bounce(p.y[i], p.vy[i], dt);
  p.colour[i] ^= 1;
}

int main() {
  const int n = 3000, steps = 25;
  const float dt = 0.0625f;  // sums of sixteenths are exact
  Particle* host = (Particle*)calloc(n, sizeof(Particle));
  float* column = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    host[i] =
        Particle{(i % 16) / 16.0f, (i % 7) / 8.0f, (i % 5 - 2) / 4.0f, (i % 9 - 4) / 8.0f, (unsigned char)i};

  Particle* aos;
  cudaMalloc(&aos, n * sizeof(Particle));
  cudaMemcpy(aos, host, n * sizeof(Particle), cudaMemcpyHostToDevice);
  Particles soa;
  float* block_of_memory;  // one allocation, carved
  cudaMalloc(&block_of_memory, 4 * n * sizeof(float) + n);
  soa.x = block_of_memory;
  soa.y = soa.x + n;
  soa.vx = soa.y + n;
  soa.vy = soa.vx + n;
  soa.colour = (unsigned char*)(soa.vy + n);
  for (int c = 0; c < 4; ++c) {
    for (int i = 0; i < n; ++i) column[i] = (&host[i].x)[c];
    cudaMemcpy(block_of_memory + c * n, column, n * sizeof(float), cudaMemcpyHostToDevice);
  }
  cudaMemcpy2D(soa.colour, 1, &host[0].colour, sizeof(Particle), 1, n, cudaMemcpyHostToDevice);

  for (int s = 0; s < steps; ++s) {
    step_aos<<<(n + 255) / 256, 256>>>(aos, n, dt);
    step_soa<<<(n + 255) / 256, 256>>>(soa, n, dt);
    for (int i = 0; i < n; ++i) {
      bounce(host[i].x, host[i].vx, dt);
      bounce(host[i].y, host[i].vy, dt);
      host[i].colour ^= 1;
    }
  }
  Particle* got = (Particle*)malloc(n * sizeof(Particle));
  cudaMemcpy(got, aos, n * sizeof(Particle), cudaMemcpyDeviceToHost);
  int wrong_aos = 0, wrong_soa = 0;
  for (int i = 0; i < n; ++i)
    wrong_aos += got[i].x != host[i].x || got[i].y != host[i].y || got[i].colour != host[i].colour;
  cudaMemcpy(column, soa.y, n * sizeof(float), cudaMemcpyDeviceToHost);
  unsigned char* colours = (unsigned char*)malloc(n);
  cudaMemcpy(colours, soa.colour, n, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong_soa += column[i] != host[i].y || colours[i] != host[i].colour;
  printf("particle 100: (%.4f, %.4f), colour %d\n", got[100].x, got[100].y, got[100].colour);
  printf("array of structs: %d wrong; struct of arrays: %d wrong\n", wrong_aos, wrong_soa);
  cudaFree(aos);
  cudaFree(block_of_memory);
  free(host);
  free(column);
  free(got);
  free(colours);
  return wrong_aos + wrong_soa != 0;
}
