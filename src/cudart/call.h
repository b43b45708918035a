// One call of the CUDA API: the frame around every exported function.
//
//   cudaError_t cudaFoo(void* p) {
//     Call call("cudaFoo", trace::EventKind::api);
//     if (call.refused()) return call.refusal();
//     if (p == nullptr) return call.end(cudaErrorInvalidValue);
//     ...
//     return call.end(cudaSuccess);
//   }
//
// It takes the scheduler's turn, lets the device come up to the caller's time, refuses when a device fault
// left an error that stays, spends the call's time, keeps the thread's last error, and writes the event.
#pragma once

#include <memory>
#include <string>

#include "cudart/api.h"
#include "cudart/runtime.h"
#include "trace/event.h"

namespace workbook::cudart {

enum class Needs : std::uint8_t {
  nothing,  // answers without a context, also after a device fault
  context,
};

class Call {
 public:
  explicit Call(const char* name, trace::EventKind kind = trace::EventKind::api,
                Needs needs = Needs::context);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  bool refused() const { return refusal_ != cudaSuccess; }
  cudaError_t refusal() { return end(refusal_); }

  // Host time of this call; without it the call costs what a call costs.
  void spend(std::int64_t ns);
  // The call is over. Keeps the error for cudaGetLastError.
  cudaError_t end(cudaError_t result);
  // The event, to be shared with an operation that fills in the device's times. With `device_writes` the
  // operation also writes it, when the device has done it; else the call does, at its end.
  std::shared_ptr<trace::Event> take_event(bool device_writes);

  trace::Event event;
  bool keep = true;  // write the event also when nothing went wrong
  Runtime& runtime;

 private:
  cudaError_t refusal_ = cudaSuccess;
  std::shared_ptr<trace::Event> taken_;
  bool device_writes_ = false;
  bool spent_ = false;
  bool ended_ = false;
};

cudaError_t& last_error();  // of the calling thread
bool& in_callback();        // the calling thread runs a callback of the program

// The result of a call that doesn't go through Call: sets the last error when it is one.
cudaError_t remember(cudaError_t result);

// cudaStream_t to the stream it means: 0 and cudaStreamLegacy, cudaStreamPerThread, or a created one. Null:
// invalid.
Stream* find_stream(cudaStream_t handle);
cudaStream_t handle_of(Stream* stream);
// In the _ptsz and _ptds forms of the API, 0 means the thread's own stream.
class PerThreadDefault {
 public:
  PerThreadDefault();
  ~PerThreadDefault();
};

}  // namespace workbook::cudart
