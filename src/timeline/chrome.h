// A timeline as Chrome's trace-event JSON, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
//
// Process 1 is the host: one track for each thread's CUDA calls, one for each thread and domain of nested
// NVTX ranges, one for what loading and compiling took; ranges of start and end are asynchronous events.
// Process 2 is the device: one track per stream, and a counter of running kernels. An arrow leads from each
// call to the device operation that it asked for. Times are microseconds with three decimals, from the first
// event on.
//
// The format wants events of one track to nest. What would not (two operations of one stream that overlap by
// a hair of the clocks' error) goes to a second track of the same name.
#pragma once

#include <string>

#include "timeline/analysis.h"
#include "trace/event.h"

namespace workbook::timeline {

std::string chrome_json(const Timeline& timeline, const trace::Header& header);

}  // namespace workbook::timeline
