// A 1x1 convolution in NHWC: a matrix multiply in disguise.
//
// Each pixel is a row of C numbers, and each of the K filters a column of weights; so the result is the
// product of an (N H W) x C and a C x K matrix. Channels inside make the pixels' rows lie side by side, which
// is what a tensor core's loads want. In NCHW the pixels would be the columns, H W apart, and 7 x 7 = 49
// halves is no leading dimension that a tensor core takes.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

namespace workbook::kernels {

/// A launcher of this ladder: out[p * k + f] = sum over j of in[p * c + j] * weights[f * c + j], for the n x
/// h x w pixels p and the k filters f. Sums in float, rounded to half once.
///
/// `in` holds n x h x w x c halves, `weights` k x c, `out` n x h x w x k; `out` must not overlap the others.
/// Any sizes from 0, not only multiples of 16; with c 0 the result is 0. Any alignment that a half has.
/// Asynchronous on `stream`. Returns cudaErrorInvalidValue for a negative size or for 2^31 pixels or more,
/// else the launch's error.
using Convolution1x1 = cudaError_t (*)(const __half* in, const __half* weights, __half* out, int n, int h,
                                       int w, int c, int k, cudaStream_t stream);

namespace rungs {
/// One result a thread, straight from global memory. Idea: none; this is the definition. Limit: two loads for
/// each multiplication, and those of the weights lie a whole filter apart.
cudaError_t conv_1x1_naive(const __half* in, const __half* weights, __half* out, int n, int h, int w, int c,
                           int k, cudaStream_t stream = nullptr);

/// Tiles of 32 x 32 in shared memory. Idea: what a thread loads, 32 threads use. Limit: two loads from shared
/// memory for each multiplication, and the ordinary units multiply one by one.
cudaError_t conv_1x1_tiled(const __half* in, const __half* weights, __half* out, int n, int h, int w, int c,
                           int k, cudaStream_t stream = nullptr);

/// Tensor cores, 128 pixels x 128 filters a block. Idea: the kernel of matmul_tensor, with the weights as the
/// second matrix, turned: they lie as the tensor cores' loads want them.
cudaError_t conv_1x1_tensor(const __half* in, const __half* weights, __half* out, int n, int h, int w, int c,
                            int k, cudaStream_t stream = nullptr);
}  // namespace rungs

/// The convolution on the host, summed in double.
void conv_1x1_reference(const __half* in, const __half* weights, __half* out, int n, int h, int w, int c,
                        int k);

}  // namespace workbook::kernels
