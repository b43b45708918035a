// Every function of NVIDIA's library exists here: the ones that are not implemented elsewhere say so.
//
// The stubs are weak, so that a definition in another source file takes their place. They take no parameters:
// on this ABI a callee may ignore what the caller passes, and none of the CUDA headers is included here.
#include "cudart/stubs.h"

#define NAME(name)                                                     \
  extern "C" __attribute__((weak, visibility("default"))) int name() { \
    static bool said = false;                                          \
    return workbook::cudart::not_supported(#name, said);               \
  }
#include "cudart/exported_names.inc"
#undef NAME
