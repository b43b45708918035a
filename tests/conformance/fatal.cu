// What ends a kernel with an error. Every case runs in a process of its own, for its context is lost
// afterwards.
#include <spawn.h>
#include <sys/wait.h>

#include <cassert>
#include <cstdlib>

#include "suite.h"
using namespace suite;
extern char** environ;

__global__ void asserts(int n) {
  assert(threadIdx.x < n);
}
__global__ void traps(int n) {
  if (threadIdx.x == n) __trap();
}
__global__ void writes(int* p) {
  p[threadIdx.x] = 1;
}
__global__ void misaligned(char* p) {
  *reinterpret_cast<int*>(p + 1) = 1;
}
__global__ void shared_overrun(int* out, int n) {
  __shared__ int x[32];
  x[n] = 1;
  out[0] = x[0];
}
__global__ void fine(int* p) {
  p[0] = 5;
}

struct Case {
  const char* name;
  cudaError_t wanted;
  void (*launch)(int* buffer);
};
const Case cases[] = {
    {"assert", cudaErrorAssert, [](int*) { asserts<<<1, 32>>>(20); }},
    {"trap", cudaErrorLaunchFailure, [](int*) { traps<<<1, 32>>>(7); }},
    {"null", cudaErrorIllegalAddress, [](int*) { writes<<<1, 32>>>(nullptr); }},
    {"far", cudaErrorIllegalAddress, [](int* p) { writes<<<1, 32>>>(p + (1ll << 40)); }},
    {"misaligned", cudaErrorMisalignedAddress,
     [](int* p) { misaligned<<<1, 1>>>(reinterpret_cast<char*>(p)); }},
    {"shared", cudaErrorIllegalAddress, [](int* p) { shared_overrun<<<1, 1>>>(p, 1 << 17); }},
};
// Exit code 0: the error came, stays, and every later call gives it.
int child(const std::string& name) {
  for (const Case& c : cases) {
    if (name != c.name) continue;
    int* p = nullptr;
    if (cudaMalloc(&p, 1024) != cudaSuccess) return 10;
    c.launch(p);
    const cudaError_t e = cudaDeviceSynchronize();
    if (e != c.wanted) {
      fprintf(stderr, "%s gives %s\n", c.name, cudaGetErrorName(e));
      return 11;
    }
    fine<<<1, 1>>>(p);
    if (cudaDeviceSynchronize() != c.wanted) return 12;
    if (cudaMalloc(&p, 1024) != c.wanted) return 13;
    return 0;
  }
  return 14;
}
void judge(Report& report, const char* name) {
  char self[] = "/proc/self/exe", flag[] = "--case", copy[64];
  snprintf(copy, sizeof copy, "%s", name);
  char* arguments[] = {self, flag, copy, nullptr};
  pid_t pid = 0;
  if (posix_spawn(&pid, self, nullptr, nullptr, arguments, environ) != 0) return report.fail("no process");
  int status = 0;
  waitpid(pid, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) report.fail("status %x", status);
}
BEHAVIOUR(assert_that_fails, "call.uni") {
  judge(report, "assert");
}
BEHAVIOUR(trap_ends_the_kernel, "trap") {
  judge(report, "trap");
}
BEHAVIOUR(null_pointer, "st.global.u32") {
  judge(report, "null");
}
BEHAVIOUR(far_outside, "st.global.u32") {
  judge(report, "far");
}
BEHAVIOUR(misaligned_store, "st.u32") {
  judge(report, "misaligned");
}
BEHAVIOUR(shared_out_of_bounds, "st.shared.u32") {
  judge(report, "shared");
}

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--case") return child(argv[2]);
  return run_program(argc, argv);
}
