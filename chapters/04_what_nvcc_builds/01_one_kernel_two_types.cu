// 4.1  One kernel, two types, two files: what nvcc compiles
//
// TODO: a kernel template for float and __half, and the body of `blend`, which launches it. When it works,
// given/01_mixer.cpp calls blend for both types: the two files compile apart, and the linker finds
// everything.
#include "01_one_kernel_two_types.h"
