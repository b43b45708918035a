// A small library of templates: transform, reduce and count over any type, with operators given as objects.
#include <cstdio>
#include <vector>

template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t n) : size_(n) { cudaMalloc(&data_, n * sizeof(T)); }
  explicit Buffer(const std::vector<T>& v) : Buffer(v.size()) {
    cudaMemcpy(data_, v.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::vector<T> host() const {
    std::vector<T> v(size_);
    cudaMemcpy(v.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

template <class In, class Out, class F>
__global__ void transform_kernel(const In* in, Out* out, std::size_t n, F f) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = f(in[i]);
}
template <class In, class Out, class F>
void transform(const Buffer<In>& in, Buffer<Out>& out, F f) {
  transform_kernel<<<20, 128>>>(in.data(), out.data(), in.size(), f);
}

template <class T, int block, class Op>
__global__ void reduce_kernel(const T* in, T* out, std::size_t n, T neutral, Op op) {
  __shared__ T s[block];
  T mine = neutral;
  for (std::size_t i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block)
    mine = op(mine, in[i]);
  s[threadIdx.x] = mine;
  __syncthreads();
#pragma unroll
  for (int d = block / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
template <class T, class Op>
T reduce(const Buffer<T>& in, T neutral, Op op) {
  constexpr int blocks = 32, block = 64;
  Buffer<T> partial(blocks), result(1);
  reduce_kernel<T, block><<<blocks, block>>>(in.data(), partial.data(), in.size(), neutral, op);
  reduce_kernel<T, block><<<1, block>>>(partial.data(), result.data(), blocks, neutral, op);
  return result.host()[0];
}

struct Plus {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct MinMax {
  int least, most;
};
struct Widen {
  __host__ __device__ MinMax operator()(const MinMax& a, const MinMax& b) const {
    return {a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
  }
};
struct Pair {
  __host__ __device__ MinMax operator()(int v) const { return {v, v}; }
};
struct IsPrime {
  __host__ __device__ long long operator()(int v) const {
    if (v < 2) return 0;
    for (int d = 2; d * d <= v; ++d)
      if (v % d == 0) return 0;
    return 1;
  }
};
struct SquaredHalf {
  double scale;
  __host__ __device__ double operator()(int v) const { return scale * v * v; }
};

int main() {
  const int n = 20000;
  std::vector<int> v(n);
  for (int i = 0; i < n; ++i) v[i] = (i * 7919) % 20011 - 1000;
  Buffer<int> in(v);
  Buffer<long long> prime(n);
  Buffer<MinMax> pairs(n);
  Buffer<double> squares(n);
  transform(in, prime, IsPrime{});
  transform(in, pairs, Pair{});
  transform(in, squares, SquaredHalf{0.5});
  const long long primes = reduce(prime, 0ll, Plus{});
  const MinMax range = reduce(pairs, MinMax{1 << 30, -(1 << 30)}, Widen{});
  const double sum = reduce(squares, 0.0, Plus{});

  long long cpu_primes = 0;
  double cpu_sum = 0;
  MinMax cpu_range{1 << 30, -(1 << 30)};
  for (int x : v) {
    cpu_primes += IsPrime{}(x);
    cpu_sum += SquaredHalf{0.5}(x);
    cpu_range = Widen{}(cpu_range, Pair{}(x));
  }
  std::printf("primes: %lld (%lld)\n", primes, cpu_primes);
  std::printf("range: %d to %d (%d to %d)\n", range.least, range.most, cpu_range.least, cpu_range.most);
  std::printf("half the sum of squares: %.1f (%.1f)\n", sum, cpu_sum);
  return primes != cpu_primes || range.least != cpu_range.least || range.most != cpu_range.most ||
         sum != cpu_sum;
}
