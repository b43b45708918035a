// How a program tells that it runs on the simulated device, and what it may say to it.
//
// These are plain C functions that the simulated runtime exports beside the CUDA API. A program must not link
// to them: it looks them up with dlsym(RTLD_DEFAULT, ...) and finds nothing when NVIDIA's library was loaded.
// The type of each stands below; `WORKBOOK_HANDSHAKE(wbHostWork)` gives the function or null.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// The device profile, "h200@1". That this function exists means that the device is simulated.
typedef const char* (*wbSimulatedDevice_t)(void);
// Gives the allocation that holds the address a name for messages: "y". Device memory and pinned memory.
typedef void (*wbNameAllocation_t)(const void* address, const char* name);
// Forgets what the modelled L2 cache holds, as flushing it between measurements does. Costs no virtual time.
typedef void (*wbFlushL2_t)(void);
// The calling host thread is busy for so many microseconds of virtual time.
typedef void (*wbHostWork_t)(double microseconds);
// The legacy default stream is busy for so many microseconds from here on, as with a filler that nobody has
// to write byte by byte: it hides the launch of what comes behind it.
typedef void (*wbDeviceWork_t)(double microseconds);
// Marks where a region of the learner's code begins (1) and ends (0): a `note` named "region" in the trace.
typedef void (*wbRegion_t)(const char* label, int begin);
// Whether the blocks of the launches from here on start in the order of their numbers (1), or shuffled (0).
typedef void (*wbBlocksInOrder_t)(int in_order);
// The order in which the device takes what the program left open, from here on (cudart/order.h): 0 as the
// model has it, 1 everything as early as it can be, 2 as late, 3 stream `number` first and the others late, 4
// by lot, with `number` as seed.
typedef void (*wbSchedule_t)(int kind, long long number);
// Whether the device has nothing left to do. Asking orders nothing.
typedef int (*wbIdle_t)(void);
// The calling host thread's virtual time in microseconds, since the program began. Reading it costs nothing.
typedef double (*wbVirtualNow_t)(void);
// wbRange, by which NVTX ranges come into the trace, stands in trace/range_door.h.

#ifdef __cplusplus
}

#include <dlfcn.h>
#define WORKBOOK_HANDSHAKE(name) reinterpret_cast<name##_t>(dlsym(RTLD_DEFAULT, #name))
#endif
