// The thread that runs the program's functions in a stream (cudaLaunchHostFunc), as the driver has one: a
// party of the schedule with a clock of its own, so that a callback may wait for a lock that another thread
// holds.
#pragma once

#include <functional>

#include "cudart/engine.h"

namespace workbook::cudart {

// Puts a function of the program into a stream: it begins when its turn comes, not before `earliest`, and
// what follows in the stream waits for it.
void enqueue_callback(Engine& engine, Stream& stream, std::int64_t earliest, std::function<void()> function);

}  // namespace workbook::cudart
