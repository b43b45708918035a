// wrong: kernel and launch stand in the header, so that everybody can make instances
// verdict: did not compile
// code: compile.host_only
// message: g++ could not compile it
// message: blockIdx
// message: for nvcc only
#include "01_one_kernel_two_types.h"
