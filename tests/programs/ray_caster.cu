// Spheres over a chequered floor, one ray a pixel, the scene in constant memory, the picture as text.
#include <cmath>
#include <cstdio>
#include <cstdlib>

struct Vec {
  float x, y, z;
};
__host__ __device__ inline Vec operator+(Vec a, Vec b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__host__ __device__ inline Vec operator-(Vec a, Vec b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__host__ __device__ inline Vec operator*(float s, Vec a) {
  return {s * a.x, s * a.y, s * a.z};
}
__host__ __device__ inline float dot(Vec a, Vec b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__host__ __device__ inline Vec unit(Vec a) {
  return (1.0f / sqrtf(dot(a, a))) * a;
}

struct Sphere {
  Vec centre;
  float radius;
};

constexpr int SPHERES = 4, WIDTH = 72, HEIGHT = 30;
__constant__ Sphere scene[SPHERES];
static const Sphere host_scene[SPHERES] = {{{-1.6f, 0.0f, 5.0f}, 1.0f},
                                           {{0.4f, 0.3f, 6.5f}, 1.3f},
                                           {{1.9f, -0.4f, 4.0f}, 0.6f},
                                           {{0.1f, -0.7f, 3.2f}, 0.3f}};

__host__ __device__ float hit(const Sphere& s, Vec from, Vec direction) {
  const Vec to = s.centre - from;
  const float along = dot(to, direction), off = dot(to, to) - along * along;
  const float inside = s.radius * s.radius - off;
  if (along < 0 || inside < 0) return 1e30f;
  return along - sqrtf(inside);
}

__host__ __device__ int shade(const Sphere* spheres, Vec from, Vec direction) {
  float nearest = 1e30f;
  int which = -1;
  for (int s = 0; s < SPHERES; ++s) {
    const float t = hit(spheres[s], from, direction);
    if (t < nearest) nearest = t, which = s;
  }
  const Vec light = unit({-0.5f, 1.0f, -0.7f});
  if (which >= 0) {
    const Vec normal = unit(from + nearest * direction - spheres[which].centre);
    const float bright = dot(normal, light);
    return bright <= 0 ? 1 : 2 + static_cast<int>(bright * 7.0f);
  }
  if (direction.y < -0.01f) {
    const float t = (-1.0f - from.y) / direction.y;
    const Vec place = from + t * direction;
    for (int s = 0; s < SPHERES; ++s) {
      if (hit(spheres[s], place, light) < 1e29f) return 0;
    }
    return (static_cast<int>(floorf(place.x)) + static_cast<int>(floorf(place.z))) & 1 ? 3 : 1;
  }
  return 0;
}

__host__ __device__ Vec ray(int x, int y) {
  return unit({(x - WIDTH / 2) * 2.0f / WIDTH + 0.0013f, (HEIGHT / 2 - y) * 1.6f / HEIGHT + 0.0017f, 1.4f});
}

__global__ void render(unsigned char* image) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < WIDTH && y < HEIGHT) image[y * WIDTH + x] = shade(scene, {0, 0.3f, 0}, ray(x, y));
}

int main() {
  unsigned char *d_image, image[WIDTH * HEIGHT];
  if (cudaMemcpyToSymbol(scene, host_scene, sizeof host_scene) != cudaSuccess) return 1;
  cudaMalloc(&d_image, sizeof image);
  render<<<dim3((WIDTH + 15) / 16, (HEIGHT + 7) / 8), dim3(16, 8)>>>(d_image);
  cudaMemcpy(image, d_image, sizeof image, cudaMemcpyDeviceToHost);
  cudaFree(d_image);
  int far = 0;
  for (int y = 0; y < HEIGHT; ++y) {
    for (int x = 0; x < WIDTH; ++x) {
      const int p = image[y * WIDTH + x];
      far += std::abs(p - shade(host_scene, {0, 0.3f, 0}, ray(x, y))) > 1;
      std::putchar(" .:-=+*#%@"[p]);
    }
    std::putchar('\n');
  }
  std::printf(far > 4 ? "%d pixels unlike the CPU's\n" : "the CPU's picture is the same\n", far);
  return far > 4;
}
