// The learner's run with a pipeline that notes what is done with it, and beside the baseline.
#include "timed.h"

void run(const workbook::Pipeline& p, int workers);  // the learner's

WORKBOOK_DRIVER(run) {
  const int workers = call.value<int>("workers");
  capstone::noted(call, [&](const workbook::Pipeline& p) { run(p, workers); });
}

WORKBOOK_DRIVER(run_timed) {
  const int workers = call.value<int>("workers");
  capstone::timed(call, "baseline", {}, [&](const capstone::World&) {
    return [workers](const workbook::Pipeline& p) { run(p, workers); };
  });
}
