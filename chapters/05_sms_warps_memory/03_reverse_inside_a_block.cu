// 5.3  Reverse inside a block
//
// Numbers are sent in packets, and every packet goes out backwards. One block turns one packet round, in
// place: each thread brings one number, and takes another one home. They change hands in shared memory, which
// all threads of a block see, and nobody else.
//
//   d_x before    1  2  3  4    5  6  7  8    9 10  .  .       n = 10, packets of 4; the dots hold anything
//   d_x after     4  3  2  1    8  7  6  5    0  0 10  9       the last packet is filled up with zeros first
#include <cuda_runtime.h>

// Every thread of the block calls this, with the number it brings, and gets the number of its mirror image:
// thread 0 that of the last thread, thread 1 that of the last but one, and so on.
__device__ float mirrored(float mine) {
  extern __shared__ float board[];  // as many bytes as the launch asks for
  // TODO mirrored: lay your number down where another thread will find it, and pick up the one that is yours.
  // What has to have happened before you may look?
  return mine;
}

__global__ void reverse_kernel(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO reverse_kernel: which threads bring a number of x, and what do the others bring? Which threads take
  // one home? When it works, the check says for how many sizes of packets it is right.
}

// n from 0 up; packets of 1 to 1024 numbers. d_x has room for whole packets. One block for each packet, and
// no other device memory. Does not wait for the device.
void reverse_packets(float* d_x, int n, int packet) {
  if (n == 0) return;
  reverse_kernel<<<(n - 1) / packet + 1, packet, packet * sizeof(float)>>>(d_x, n);
}
