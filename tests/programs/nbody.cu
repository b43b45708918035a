// N bodies attract each other; positions go through shared memory tile by tile. Leapfrog, a few hundred
// steps.
#include <cmath>
#include <cstdio>
#include <vector>

#define BLOCK 64
#define SOFTENING 0.01f

__global__ void kick(const float4* pos, float3* vel, float dt, int n) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = i < n ? pos[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += BLOCK) {
    int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? pos[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < BLOCK; ++k) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
      float pull = tile[k].w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  if (i < n) {
    vel[i].x += ax * dt;
    vel[i].y += ay * dt;
    vel[i].z += az * dt;
  }
}

__global__ void drift(float4* pos, const float3* vel, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  pos[i].x += vel[i].x * dt;
  pos[i].y += vel[i].y * dt;
  pos[i].z += vel[i].z * dt;
}

static double energy(const std::vector<float4>& p, const std::vector<float3>& v) {
  double e = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    e += 0.5 * p[i].w * (double(v[i].x) * v[i].x + double(v[i].y) * v[i].y + double(v[i].z) * v[i].z);
    for (size_t j = 0; j < i; ++j) {
      double dx = p[i].x - p[j].x, dy = p[i].y - p[j].y, dz = p[i].z - p[j].z;
      e -= p[i].w * p[j].w / std::sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
    }
  }
  return e;
}

int main() {
  const int n = 200, steps = 40;
  const float dt = 0.005f;
  std::vector<float4> pos(n);
  std::vector<float3> vel(n);
  for (int i = 0; i < n; ++i) {  // a disc that turns
    float angle = 2.399963f * i, radius = 0.3f + 0.7f * i / n;
    pos[i] = make_float4(radius * std::cos(angle), radius * std::sin(angle), 0.05f * ((i % 7) - 3), 1.0f / n);
    float speed = 0.7f * std::sqrt(radius);
    vel[i] = make_float3(-speed * std::sin(angle), speed * std::cos(angle), 0);
  }
  const double before = energy(pos, vel);
  float4* d_pos;
  float3* d_vel;
  cudaMalloc(&d_pos, n * sizeof(float4));
  cudaMalloc(&d_vel, n * sizeof(float3));
  cudaMemcpy(d_pos, pos.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  cudaMemcpy(d_vel, vel.data(), n * sizeof(float3), cudaMemcpyHostToDevice);
  const int grid = (n + BLOCK - 1) / BLOCK;
  for (int s = 0; s < steps; ++s) {
    kick<<<grid, BLOCK>>>(d_pos, d_vel, s == 0 ? dt / 2 : dt, n);
    drift<<<grid, BLOCK>>>(d_pos, d_vel, dt, n);
  }
  kick<<<grid, BLOCK>>>(d_pos, d_vel, dt / 2, n);
  cudaMemcpy(pos.data(), d_pos, n * sizeof(float4), cudaMemcpyDeviceToHost);
  cudaMemcpy(vel.data(), d_vel, n * sizeof(float3), cudaMemcpyDeviceToHost);
  const double after = energy(pos, vel);
  double px = 0, py = 0;
  for (int i = 0; i < n; ++i) px += pos[i].w * vel[i].x, py += pos[i].w * vel[i].y;
  std::printf("energy before %.3f, after %.3f\n", before, after);
  std::printf("body 0 at (%.2f, %.2f)\n", pos[0].x + 0.0f, pos[0].y + 0.0f);
  const bool good = std::fabs(after - before) < 0.01 * std::fabs(before) && std::isfinite(px + py);
  std::printf(good ? "energy is kept\n" : "energy is LOST\n");
  cudaFree(d_pos);
  cudaFree(d_vel);
  return good ? 0 : 1;
}
