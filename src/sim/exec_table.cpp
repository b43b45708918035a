// The set of handlers of one instruction set.
#include "sim/exec.h"
#include "sim/exec_tables.h"

namespace workbook::sim::WORKBOOK_EXEC {
extern const HandlerSet table;
const HandlerSet table{find_integer, find_float, find_half, find_convert, find_memory, find_collective};
}  // namespace workbook::sim::WORKBOOK_EXEC
