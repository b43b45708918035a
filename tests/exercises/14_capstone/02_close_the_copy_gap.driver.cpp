// The learner's run with a pipeline that notes what is done with it, and beside the baseline.
#include "timed.h"

void run(const workbook::Pipeline& p);  // the learner's

WORKBOOK_DRIVER(run) {
  capstone::noted(call, run);
}

WORKBOOK_DRIVER(run_timed) {
  capstone::timed(call, "baseline", {}, [](const capstone::World&) { return run; });
}
