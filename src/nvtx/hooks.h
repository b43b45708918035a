// The NVTX tool of the workbook: what NVTX's headers load when NVTX_INJECTION64_PATH names our library.
//
// NVTX is header-only. At a program's first NVTX call the headers load the library and ask it to fill in
// their tables of functions (module CORE for the plain C calls, CORE2 for those with a domain; the C++ header
// uses the latter even for the global domain). Here are those functions: they keep what NVTX itself does not
// (the names of domains, categories and registered strings, the stack of open ranges of each thread and
// domain), and hand each event to a sink, which knows the clock and writes the trace.
//
// No lock is held while the sink is called, and none is a mutex: on the simulated device a mutex is a place
// where the program's threads may change turns, and watching a program must not change its order.
#pragma once

#include "trace/range_door.h"

// Types only: the functions of the header would make this library a client of itself.
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

namespace workbook::nvtx {

// Fills in the tables. `sink` gets every event from now on. Returns what NVTX wants to hear: 1 for success.
int attach(NvtxGetExportTableFunc_t get_table, wbRange_t sink);

}  // namespace workbook::nvtx
