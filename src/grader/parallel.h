// Work on several cores with results in order.
#pragma once

#include <cstddef>
#include <functional>

namespace workbook::grader {

// Runs job(0) ... job(count - 1) on `workers` threads and calls done(i) on the calling thread in the order of
// i, each as soon as it and all before it are finished. Ctrl-C ends it early: jobs that have not begun are
// not begun, and false is returned. An exception of a job is thrown again here, after the others have ended.
bool in_parallel(std::size_t count, unsigned workers, const std::function<void(std::size_t)>& job,
                 const std::function<void(std::size_t)>& done);

unsigned cores();

}  // namespace workbook::grader
