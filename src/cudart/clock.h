// The host's clocks in virtual time: a thread's clock, shifted to the real time at which the program began.
#pragma once

#include <time.h>

#include <cstdint>

namespace workbook::cudart {

// Fixes the shift; called once, when the library is loaded.
void start_clocks();

// What a read of the clock costs, in ns (the profile's; 43 until it is known).
void set_clock_read_cost(std::int64_t ns);

// The virtual time at which `clock` shows the time `at`; `clock` is monotonic or real time.
std::int64_t virtual_time_of(clockid_t clock, const timespec& at);
// True for the clocks that show virtual time.
bool is_virtual(clockid_t clock);

}  // namespace workbook::cudart
