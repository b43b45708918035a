// One number out of records of 32 floats, as an array of structures: what the exercise on layouts starts
// from.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::kernels {

// out[i] = factor * number `field` of record i; record i is records[32 * i] to records[32 * i + 31]. n from 0
// up, field 0 to 31. Asynchronous; returns the launch's error.
//
// Idea: one thread a record. Limit: the numbers that neighbouring threads want lie 128 bytes apart, so every
// lane of a warp needs a sector of its own, and 28 of its 32 bytes are brought for nobody.
cudaError_t scale_records(const float* records, int n, int field, float factor, float* out,
                          cudaStream_t stream = nullptr);

}  // namespace workbook::kernels
