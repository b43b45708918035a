/** @mainpage The API

What an exercise, a check, or a program of your own may include.

- **For whoever writes a kernel:** <a href="files.html">include/workbook</a> has what the exercises give you: a loader's queue, half
  precision on the host, work for a grid.
- **For whoever writes a check:** @ref workbook/check.h "check.h" is the place to begin. Its essay shows a whole check.
- **Kernels to compare with:** `kernels` has a ladder for each subject, from the naive one to the one that every time bound is
  measured against. Each rung says its idea and its limit.
- **The time model:** @ref workbook::model "workbook::model" turns counters into modelled times.

The lessons that use them are in [the book](../index.html).
*/
/** What exercises and checks include. */
namespace workbook {
/** Ladders of kernels: what the workbook's time bounds are measured against. */
namespace kernels {
/** The rungs of the ladders, each by itself. */
namespace rungs {}
/** The device side of the pipeline of chapter 14. */
namespace capstone {}
}
/** Counters to modelled time. */
namespace model {}
/** The simulated device. */
namespace sim {}
}
