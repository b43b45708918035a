// The CUDA functions that make an event of the trace, and how their arguments are read. The same functions
// make the same events on the simulated device (src/cudart); any other call is kept only when it fails.
#pragma once

#include <cupti.h>

#include "cupti/call.h"
#include "cupti/objects.h"

namespace workbook::cupti {

struct Function {
  const char* api = nullptr;  // as a program names it: without version and without _ptsz
  trace::EventKind kind = trace::EventKind::api;
  void (*read)(Call&, const void* parameters, Objects&, bool per_thread) = nullptr;  // null: nothing to read
  bool per_thread = false;       // the form in which 0 means the thread's own stream
  bool listed = false;           // makes an event also when it succeeds
  bool asks_for_errors = false;  // what it returns says nothing about itself
};

// By CUPTI's number of the runtime function. The table is made at the first call.
const Function& function_of(CUpti_CallbackId id);

}  // namespace workbook::cupti
