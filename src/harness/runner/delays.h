// The schedule of a run (workbook/schedules.h): handed to the simulated device, or made on a GPU by holding
// operations back.
//
// On a GPU an operation that should be late gets a function of the host before it in its stream, which
// sleeps. That adds no order that was not there: the function waits for what the operation would wait for. An
// operation that should be early gets time to end before its call returns.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::runner {

// Of the request that is served now; kinds and numbers are those of workbook::Schedule.
void set_schedule(int kind, long long number);
// Around the learner's region and the wait behind it.
void begin_schedule();
void end_schedule();

// The interposer tells: work of the learner's is about to be queued; it was.
void hold_back(cudaStream_t stream);
void let_it_run();

}  // namespace workbook::runner
