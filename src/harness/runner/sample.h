// From when to when the device works for one sample, whatever streams the learner uses.
//
// A sample begins and ends with an event. Two things would make that wrong. A stream that does not wait for
// the default stream (cudaStreamNonBlocking) would start before the first event and be still at work at the
// second; so each such stream waits for the first, and the second waits for it. And a call that waits for its
// work before it returns would pay for the host's way back, which is not the device's time; so the second
// event is queued before the wait, and again after it only if more work came. Nothing is queued on the
// default stream in between: that would be a barrier between the learner's streams.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::runner {

// Records `begin` now, and makes the learner's streams wait for it.
void open_sample(cudaEvent_t begin, cudaEvent_t end);
// `end` is queued behind all that the learner queued.
void close_sample();

// The interposer tells: a kernel, copy or memset was queued; a stream came or is about to go; a wait is about
// to begin.
void work_was_queued(cudaStream_t stream);
void stream_came(cudaStream_t stream);
void stream_goes(cudaStream_t stream);
void about_to_wait_for(cudaStream_t stream);
void about_to_wait_for_all();

// The default stream and those that the learner made have nothing left to do.
bool learner_streams_idle();

}  // namespace workbook::runner
