// The kernels of three_kernels.cu with 3 % more work.
#include <workbook/bench.h>

#define HUNDREDTHS 103
#include "three_kernels.cu"
