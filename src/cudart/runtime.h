// All state of the simulated runtime: one device, its memory, its streams, the program's modules, the trace.
//
// It exists from the first call on and is never destroyed, because static destructors of the program may
// still call CUDA. Only the thread that has the scheduler's turn uses it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cudart/engine.h"
#include "model/model.h"
#include "sim/device.h"
#include "trace/event.h"
#include "trace/writer.h"

namespace workbook::cudart {

class Hazards;
using Frames = std::vector<std::uint64_t>;

// What is remembered of an allocation beyond sim::Memory: who made it and who freed it.
struct AllocationRecord {
  std::string api;
  Frames allocated, freed;
  std::string freed_by;  // the call; empty while it lives
  bool stream_ordered = false;
};

// Host memory that the runtime knows: pinned, registered or managed.
struct HostRange {
  std::uint64_t base = 0, size = 0;
  trace::MemoryKind kind = trace::MemoryKind::pinned;
  unsigned flags = 0;
  bool registered = false;  // the program's own memory, pinned by cudaHostRegister
  std::string api;
  Frames allocated;
  std::string name;
};
struct FreedHost {
  Frames allocated, freed;
  std::string api;
};

struct Event {
  unsigned flags = 0;
  int number = 0;
  OpRef op;                          // of the last record; null when never recorded
  std::shared_ptr<Capture> capture;  // recorded in a captured stream (graphs.h)
  std::vector<GraphNode*> tail;
};

// What a pointer points to.
struct PointerFacts {
  trace::MemoryKind kind = trace::MemoryKind::pageable;
  std::uint64_t base = 0, size = 0;  // of the range it lies in; 0 when unknown
  const HostRange* host = nullptr;
  const sim::Allocation* device = nullptr;  // live or freed
  bool dead = false;                        // device memory that was freed, or device range never allocated
  bool on_device() const { return kind == trace::MemoryKind::device; }
};

struct Totals {
  std::uint64_t launches = 0, copies = 0, copied_bytes = 0, faults = 0;
};

class Runtime {
 public:
  static Runtime& get();

  const model::Profile& profile() const { return *profile_; }
  const model::Costs& costs() const { return model::costs_of(*profile_); }
  Engine& engine() { return *engine_; }
  Hazards& hazards() { return *hazards_; }
  sim::Device& device();  // made at the first need
  bool has_device() const { return device_ != nullptr; }
  sim::Memory& memory() { return device().memory(); }
  Scheduler& scheduler() { return Scheduler::get(); }

  // --- time ---
  std::int64_t now() { return scheduler().self().now; }
  void spend(std::int64_t ns) { scheduler().advance(ns); }
  // The driver starts with the first call of all.
  void need_driver();
  // The context comes into being at the first call that needs it, and costs what it costs.
  void need_context();
  bool context_exists() const { return context_exists_; }

  // --- errors that stay ---
  int sticky() const { return sticky_; }
  void fail_device(int error, std::int64_t at);  // drops all pending work
  void reset_device();

  // --- the trace ---
  std::uint64_t next_id() { return ++last_id_; }
  void write(const trace::Event& event);
  void note(const std::string& name, const std::string& text, const std::string& detail_json = {});
  // Spends the time of something that only a first use needs, and says so in the trace. `kind` is one of
  // those of workbook::FirstUse (workbook/questions.h).
  void pay_once(const char* kind, const std::string& text, std::int64_t ns);
  // A note that a person who runs the program should see too.
  void remark(const std::string& name, const std::string& text);
  bool quiet() const { return quiet_; }
  bool tracing() const { return writer_.active(); }

  // --- memory ---
  PointerFacts facts(const void* pointer);
  std::unordered_map<std::uint64_t, AllocationRecord> allocations;  // by sim::Allocation::id
  std::map<std::uint64_t, HostRange> host_ranges;                   // by base
  std::map<std::uint64_t, FreedHost> freed_host;                    // pinned memory that is gone
  const HostRange* host_range(std::uint64_t address) const;

  // --- events ---
  std::unordered_map<Event*, std::unique_ptr<Event>> events;
  int events_made = 0;

  // --- device printf: shown at the next synchronization ---
  void hold_output(std::string text) { output_ += std::move(text); }
  void show_output();

  bool blocks_in_order = false;  // of launches from here on: not shuffled
  Totals totals;
  std::uint64_t printf_limit = 0;

 private:
  Runtime();
  ~Runtime();
  void begin_trace();
  void apply_environment();

  const model::Profile* profile_ = nullptr;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Hazards> hazards_;
  std::unique_ptr<sim::Device> device_;
  sim::Options options_;
  trace::TraceWriter writer_;
  std::uint64_t last_id_ = 0;
  int sticky_ = 0;
  bool driver_started_ = false;
  bool context_exists_ = false;
  bool quiet_ = false;
  bool trace_begun_ = false;
  std::string output_;
};

}  // namespace workbook::cudart
