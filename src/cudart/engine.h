// The device in virtual time: streams, the engines that do the work, events.
//
// A stream is a queue of operations. An operation begins when its predecessor in the stream and everything it
// depends on have ended, its call has reached the device, and its engine is free; it then has its effect and
// its duration. Kernels have their effect when they begin (how long they take is known only afterwards);
// copies have theirs when they end, both reading and writing, so that a result that is read too early is not
// there yet, and a source that is overwritten too early is copied wrong.
//
// What CUDA leaves open may be decided otherwise, to find programs that only work by luck: order.h.
//
// Engines: one copies to the device, one from it, one within it; the multiprocessors take kernels side by
// side as long as their blocks fit together, in order of priority and arrival.
//
// The scheduler steps the engine (scheduler.h), so nothing here happens before every host thread has come
// that far.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cudart/order.h"
#include "cudart/scheduler.h"

namespace workbook::cudart {

enum class EngineKind : std::uint8_t { none, compute, to_device, from_device, within_device };

struct Op {
  std::uint64_t sequence = 0;  // order of the calls
  int stream = 0;              // its number
  std::uint64_t place = 0;     // in the stream, from 1
  Ordered ordered;             // what is done before it, and itself
  EngineKind engine = EngineKind::none;
  bool is_kernel = false;
  double share = 1;           // compute: of the device's block slots, 0..1
  std::int64_t earliest = 0;  // the call has reached the device
  std::vector<std::shared_ptr<Op>> after;
  // At the start (`started` is set); gives the duration in ns, or Engine::not_known_yet. At the end.
  std::function<std::int64_t(const Op&)> begin;
  std::function<void(const Op&)> end;
  std::int64_t started = -1, ended = -1, due = never;
  bool open_ended = false;  // begun, and only complete() tells when it ends
  // Under a schedule other than the modelled one.
  std::int64_t called = 0, wanted_at = never;  // `never`: nobody waits for it yet
  int turn = 1;                                // 0: before all others
  int questions = 0;                           // of the host, whether it is done
  bool done() const { return ended >= 0; }
};
using OpRef = std::shared_ptr<Op>;

struct Capture;
struct GraphNode;

struct Stream {
  int number = 0;      // 0: the legacy default stream
  unsigned flags = 0;  // cudaStreamNonBlocking
  int priority = 0;
  bool blocking = true;  // waits for the legacy stream, and it for this one
  std::uint64_t id = 0;
  std::deque<OpRef> queue;  // not done
  OpRef last;               // the last one ever put in
  std::uint64_t places = 0;
  bool last_was_kernel = false;
  std::int64_t last_kernel_end = -1;
  std::shared_ptr<Capture> capture;  // while it is captured (graphs.h)
  std::vector<GraphNode*> tail;
};

class Engine : public TimedParty {
 public:
  explicit Engine(std::int64_t launch_gap) : launch_gap_(launch_gap) {}

  Stream& legacy() { return legacy_; }
  Stream* create(unsigned flags, int priority);
  bool knows(const Stream* stream) const;
  void destroy(Stream* stream);  // what is in it still runs
  const std::vector<std::unique_ptr<Stream>>& streams() const { return streams_; }

  // Puts an operation at the end of a stream; it waits for what the legacy stream's rules ask.
  OpRef enqueue(Stream& stream, Op op);

  // The end of an operation whose begin gave not_known_yet.
  static constexpr std::int64_t not_known_yet = -1;
  void complete(Op& op, std::int64_t at);

  // The calling thread waits; its clock goes on when the operation has ended.
  void wait(const OpRef& op);
  void wait_for_stream(Stream& stream);
  void wait_for_all();
  // Whether there would be nothing to wait for. A host that is told so knows it from then on.
  bool ask(const OpRef& op);
  bool ask(Stream& stream);
  bool idle() const;

  // The host knows that this is done. `on_knowledge` is called whenever it learns something.
  void host_knows(const Ordered& done);
  const Ordered& host_knowledge() const { return host_; }
  void (*on_knowledge)() = nullptr;

  // Streams were made: more than one order is possible.
  bool has_streams() const { return created_ > 0; }

  void set_schedule(const Schedule& schedule) { schedule_ = schedule; }
  const Schedule& schedule() const { return schedule_; }
  // At the end of a call: what has to be done before it returns.
  void settle();

  // Everything that hasn't begun is dropped without effect; what runs ends now. For a device fault and for a
  // reset.
  void abandon(std::int64_t at);

  std::int64_t next_event() override;
  void step() override;

 private:
  struct Candidate {
    Stream* stream = nullptr;
    Op* op = nullptr;
    std::int64_t at = never;
    bool ends = false;
  };
  Candidate next();
  Candidate next_modelled();
  Candidate next_by_schedule();
  bool goes_before(const Op& one, const Op& other) const;
  void plan(const OpRef& op);
  void want(const OpRef& op, int turn);
  std::int64_t ready_at(const Stream& stream, const Op& op) const;
  bool engine_free(const Op& op, std::int64_t at) const;
  void start(Stream& stream, Op& op, std::int64_t at);
  void finish(Stream& stream, std::int64_t at);
  std::vector<Stream*> all_streams();

  std::int64_t launch_gap_;
  Schedule schedule_;
  Ordered host_;
  Ordered departed_, departed_blocking_;  // all that destroyed streams held
  Stream legacy_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<std::unique_ptr<Stream>> leaving_;  // destroyed with work still in them
  std::uint64_t sequence_ = 0;
  int created_ = 0;
  std::int64_t now_ = 0;       // of the last event
  double busy_share_ = 0;      // of the multiprocessors
  std::array<int, 5> busy_{};  // operations on each engine
};

}  // namespace workbook::cudart
