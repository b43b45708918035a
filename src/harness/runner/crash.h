// A crash says what it can before it ends the process: a used-up stack looks like any other bad address from
// outside.
#pragma once

#include "harness/runner/exchange.h"

namespace workbook::runner {

// While it lives, a SIGSEGV of this thread whose stack pointer has left its stack leaves a remark in the
// response; then whoever handled the signal before goes on.
class CrashRemarks {
 public:
  explicit CrashRemarks(Exchange& exchange);
  ~CrashRemarks();
  CrashRemarks(const CrashRemarks&) = delete;
  CrashRemarks& operator=(const CrashRemarks&) = delete;
};

}  // namespace workbook::runner
