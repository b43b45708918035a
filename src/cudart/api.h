// What every source file with exported functions includes first.
//
// The library is compiled with hidden visibility; NVIDIA's prototypes are declared here with default
// visibility, so that the definitions which follow are exported, and nothing else is.
#pragma once

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#define WORKBOOK_EXPORT extern "C" __attribute__((visibility("default")))
