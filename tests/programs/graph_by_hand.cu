// A graph put together node by node: two memsets, two kernels beside each other, one that needs both, a copy
// back.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int* x, int n, int first, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += first + i * step;
}
__global__ void multiply(const int* x, const int* y, long long* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = (long long)x[i] * y[i];
}

static void must(cudaError_t e, const char* what) {
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", what, cudaGetErrorName(e));
    std::exit(1);
  }
}

int main() {
  int n = 500;
  int *x, *y;
  long long *z, result[500];
  must(cudaMalloc(&x, n * sizeof(int)), "malloc");
  must(cudaMalloc(&y, n * sizeof(int)), "malloc");
  must(cudaMalloc(&z, n * sizeof(long long)), "malloc");

  cudaGraph_t graph;
  must(cudaGraphCreate(&graph, 0), "create");
  cudaGraphNode_t clear[2], filled[2], product, back;
  for (int k = 0; k < 2; ++k) {
    cudaMemsetParams p = {};
    p.dst = k == 0 ? x : y;
    p.value = 0;
    p.elementSize = 4;
    p.width = n;
    p.height = 1;
    must(cudaGraphAddMemsetNode(&clear[k], graph, nullptr, 0, &p), "memset node");
    int first = k == 0 ? 1 : 1000, step = k == 0 ? 2 : -3;
    void* arguments[] = {k == 0 ? (void*)&x : (void*)&y, &n, &first, &step};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)fill;
    kernel.gridDim = dim3(4);
    kernel.blockDim = dim3(128);
    kernel.kernelParams = arguments;
    must(cudaGraphAddKernelNode(&filled[k], graph, &clear[k], 1, &kernel), "kernel node");
  }
  void* arguments[] = {&x, &y, &z, &n};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)multiply;
  kernel.gridDim = dim3(2);
  kernel.blockDim = dim3(256);
  kernel.kernelParams = arguments;
  must(cudaGraphAddKernelNode(&product, graph, filled, 2, &kernel), "kernel node");
  must(cudaGraphAddMemcpyNode1D(&back, graph, &product, 1, result, z, n * sizeof(long long),
                                cudaMemcpyDeviceToHost),
       "copy node");
  cudaGraphExec_t exec;
  must(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
  must(cudaGraphLaunch(exec, 0), "launch");
  must(cudaStreamSynchronize(0), "synchronise");
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += result[i] != (long long)(1 + 2 * i) * (1000 - 3 * i);
  std::printf("z[0] = %lld, z[%d] = %lld, %d wrong\n", result[0], n - 1, result[n - 1], wrong);
  must(cudaGraphExecDestroy(exec), "destroy");
  must(cudaGraphDestroy(graph), "destroy");
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
  return wrong;
}
