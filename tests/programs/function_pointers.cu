// Choosing what to do at run time: a table of device functions, a functor, a lambda, a virtual function.
#include <cstdio>
#include <vector>

typedef int (*Operation)(int, int);

__device__ int add(int a, int b) {
  return a + b;
}
__device__ int subtract(int a, int b) {
  return a - b;
}
__device__ int multiply(int a, int b) {
  return a * b;
}
__device__ int modulo(int a, int b) {
  return b == 0 ? 0 : a % b;
}

__device__ Operation table[] = {add, subtract, multiply, modulo};
__device__ Operation chosen = multiply;

__global__ void by_table(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = table[i % 4](a[i], b[i]);
}

__global__ void by_argument(Operation op, const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = op(a[i], b[i]);
}

template <class F>
__global__ void by_functor(F f, const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = f(a[i], b[i]);
}

struct Weighted {
  int wa, wb;
  __host__ __device__ int operator()(int a, int b) const { return wa * a + wb * b; }
};

struct Shape {
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Rectangle : Shape {
  int w, h;
  __device__ Rectangle(int a, int b) : w(a), h(b) {}
  __device__ int area() const override { return w * h; }
};

__global__ void by_virtual(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Square square(a[i]);
  Rectangle rectangle(a[i], b[i]);
  const Shape* shape = i % 3 == 0 ? static_cast<Shape*>(&square) : &rectangle;
  c[i] = shape->area();
}

int main() {
  const int n = 200, grid = 4, block = 64;
  std::vector<int> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) a[i] = i * 3 - 50, b[i] = i % 13;
  int *da, *db, *dc, failures = 0;
  cudaMalloc(&da, n * sizeof(int));
  cudaMalloc(&db, n * sizeof(int));
  cudaMalloc(&dc, n * sizeof(int));
  cudaMemcpy(da, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  auto report = [&](const char* name, auto expected) {
    cudaError_t e = cudaMemcpy(c.data(), dc, n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += c[i] != expected(i);
    std::printf("%-12s %s, c[17] = %d, %d wrong\n", name, cudaGetErrorName(e), c[17], wrong);
    failures += wrong;
  };
  by_table<<<grid, block>>>(da, db, dc, n);
  report("table", [&](int i) {
    return i % 4 == 0   ? a[i] + b[i]
           : i % 4 == 1 ? a[i] - b[i]
           : i % 4 == 2 ? a[i] * b[i]
                        : (b[i] ? a[i] % b[i] : 0);
  });
  Operation op;
  cudaMemcpyFromSymbol(&op, chosen, sizeof op);
  by_argument<<<grid, block>>>(op, da, db, dc, n);
  report("argument", [&](int i) { return a[i] * b[i]; });
  by_functor<<<grid, block>>>(Weighted{2, -5}, da, db, dc, n);
  report("functor", [&](int i) { return 2 * a[i] - 5 * b[i]; });
  by_virtual<<<grid, block>>>(da, db, dc, n);
  report("virtual", [&](int i) { return i % 3 == 0 ? a[i] * a[i] : a[i] * b[i]; });
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  return failures;
}
