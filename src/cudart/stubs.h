#pragma once

namespace workbook::cudart {

// Says once on standard error that the function is missing, notes it in the trace, and gives
// cudaErrorNotSupported, which becomes the thread's last error.
int not_supported(const char* name, bool& said);

}  // namespace workbook::cudart
