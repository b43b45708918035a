// A chain of small kernels captured once as a graph and launched many times.
#include <cstdio>
#include <vector>

__global__ void scale(int* x, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * by % 10007;
}
__global__ void shift(int* x, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = (x[i] + by) % 10007;
}
__global__ void join(int* x, const int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = (x[i] + y[i]) % 10007;
}

int main() {
  const int n = 1000, launches = 20;
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  std::vector<int> a(n), b(n, 5), got(n);
  for (int i = 0; i < n; ++i) a[i] = i;
  cudaMemcpy(x, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(y, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  cudaStream_t main_stream, side;
  cudaStreamCreate(&main_stream);
  cudaStreamCreate(&side);
  cudaEvent_t fork, done;
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);

  cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, main_stream);
  cudaStreamWaitEvent(side, fork, 0);
  scale<<<8, 128, 0, main_stream>>>(x, n, 3);
  shift<<<8, 128, 0, side>>>(y, n, 7);
  scale<<<8, 128, 0, side>>>(y, n, 2);
  cudaEventRecord(done, side);
  cudaStreamWaitEvent(main_stream, done, 0);
  join<<<8, 128, 0, main_stream>>>(x, y, n);
  cudaGraph_t graph;
  cudaStreamEndCapture(main_stream, &graph);

  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  std::printf("the graph has %zu nodes\n", nodes);
  cudaGraphExec_t exec;
  cudaError_t error = cudaGraphInstantiate(&exec, graph, 0);
  std::printf("instantiated: %s\n", cudaGetErrorName(error));
  for (int k = 0; k < launches; ++k) cudaGraphLaunch(exec, main_stream);
  cudaStreamSynchronize(main_stream);
  cudaMemcpy(got.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);

  for (int k = 0; k < launches; ++k) {
    for (int i = 0; i < n; ++i) {
      a[i] = a[i] * 3 % 10007;
      b[i] = (b[i] + 7) % 10007;
      b[i] = b[i] * 2 % 10007;
      a[i] = (a[i] + b[i]) % 10007;
    }
  }
  std::printf("x[1] = %d, x[999] = %d, %s\n", got[1], got[999],
              got == a ? "as on the CPU" : "NOT as on the CPU");
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(fork);
  cudaEventDestroy(done);
  cudaStreamDestroy(main_stream);
  cudaStreamDestroy(side);
  cudaFree(x);
  cudaFree(y);
  return got != a;
}
