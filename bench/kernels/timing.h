// How a kernel of kernels/ is timed: on a GPU and on the simulated device by the same program.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace workbook::bench {

/// One measurement: a rung at a size. `bytes` is what must cross the memory (read plus written), `operations`
/// what must be computed; the one that bounds the kernel is given, the other is 0.
struct Case {
  std::string ladder, rung, size;
  double bytes = 0, operations = 0;
  std::function<cudaError_t()> run;
};

/// Whether this program met the simulated runtime.
bool simulated();

/// Median microseconds of a launch, by events. `cold`: L2 holds nothing of use before each launch, and the
/// launch itself is hidden behind other work. Ends the program with a message when a call fails.
double median_us(const std::function<cudaError_t()>& run, bool cold, int samples, int warm_up);

/// Device memory that lives as long as the program, filled with floats in [0.125, 1) of either sign, as
/// halves of the same kind, or as numbers below `below`.
float* floats(std::size_t count);
void* halves(std::size_t count);
unsigned* numbers(std::size_t count, unsigned below);
void free_all();

void must(cudaError_t error, const char* what);

}  // namespace workbook::bench
