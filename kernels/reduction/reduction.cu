#include <cmath>

#include "kernels/reduction/reduction.h"

namespace workbook::kernels {

cudaError_t sum(const float* in, float* out, std::size_t count, cudaStream_t stream) {
  return rungs::sum_vector(in, out, count, stream);
}

double sum_reference(const float* in, std::size_t count) {
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += in[i];
  return total;
}

double sum_error_bound(double additions, double sum_of_magnitudes) {
  return additions * std::ldexp(1.0, -24) * sum_of_magnitudes;
}

}  // namespace workbook::kernels
