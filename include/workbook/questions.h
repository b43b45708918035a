// Questions a check may ask about what the learner's code did on the device.
//
// All answers concern the learner regions of one run (Call::learner). They come from the trace: on the
// simulated device from the simulated runtime, on a GPU from the interposer in the runner. What only the
// simulated device knows (counters, memory kinds of a fault) says so; ask `counters_known()` first.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workbook {

// One thing the program asked for, in the order of the calls.
struct Step {
  // What can be asked for.
  enum class Kind { allocate, release, copy, set, kernel, synchronise, other };
  Kind kind{};                // what was asked for
  std::string api;            // "cudaMalloc"
  std::string name;           // kernel name
  int result = 0;             // cudaError_t
  std::string direction;      // copies, by what the memory is, not by what was claimed: "host to device",
                              // "device to host", "device to device", "host to host"
  std::string claimed;        // the kind that was passed: "HostToDevice", "Default", ...
  bool pinned = false;        // copies: the host side is page-locked
  bool asynchronous = false;  // the call is one of those that may return before the work is done
  bool managed = false;       // allocations: cudaMallocManaged
  std::uint64_t bytes = 0;    // allocations, copies, sets
  std::uint64_t address = 0;  // allocate, release: the block; copy: destination
  std::uint64_t source = 0;   // copy: where it takes the bytes from
  std::array<std::uint32_t, 3> grid{};        // kernels: blocks in x, y, z
  std::array<std::uint32_t, 3> block{};       // kernels: threads of a block in x, y, z
  int stream = 0;                             // by its number in the trace; 0 is the default stream
  double host_begin_us = 0, host_end_us = 0;  // of the call
  // -1: unknown. On a GPU, but for runs with Run::device_times, those of copies and kernels too.
  double device_begin_us = -1, device_end_us = -1;
  // Where the learner's code made the call; empty when unknown.
  std::string file;
  std::uint32_t line = 0;  // in that file
  std::string label;       // of the learner region
  int thread = 0;          // host thread, 0 = the one that called the driver
};

// An NVTX range of the learner's code, or a mark. Push and pop nest per thread and domain; `parent`,
// `children` and `depth` tell that tree. Ranges of start and end have no parent and may end on another
// thread.
struct Range {
  int index = -1;  // its place in Trace::ranges()
  // Push and pop; start and end; a mark.
  enum class Kind { nested, free, mark };
  Kind kind{};                    // which of them
  std::string name;               // its text
  std::string domain;             // empty: the default domain
  std::string category;           // its name; empty when it has none
  std::uint32_t category_id = 0;  // 0: none
  // A number that it carries.
  struct Payload {
    std::string type;          // "int64", "uint64", "int32", "uint32", "double", "float"; empty: none
    std::int64_t integer = 0;  // any of the whole-number types
    double real = 0;           // any type
  };
  Payload payload;                  // what it carries
  std::uint32_t color = 0;          // ARGB, 0: none
  bool registered = false;          // its text is a registered string
  int thread = 0, end_thread = 0;   // of the host: where it began, where it ended
  bool open = false;                // never ended
  double begin_us = 0, end_us = 0;  // on the host; an open one ends with the run
  int parent = -1;                  // index into Trace::ranges(), as in children; -1: a root
  std::vector<int> children;        // those that nest in it, in order
  int depth = 0;                    // 0: a root
  // Its GPU time: of the operations whose call was made inside it (Trace::steps_in), wherever they ran later.
  // -1 when there were none, or no device times are known.
  double gpu_begin_us = -1, gpu_end_us = -1;
  double gpu_busy_us = -1;                         // at least one of them ran: the union, not the sum
  std::string file;                                // where the learner's code began it; empty when unknown
  std::uint32_t line = 0;                          // in that file
  double us() const { return end_us - begin_us; }  // how long it was, on the host
};

// What a program said to NVTX once: a domain made, a category named, a string registered.
struct RangeName {
  std::string what;               // "domain", "category" or "string"
  std::string name;               // the text
  std::string domain;             // in which; empty: the default domain
  std::uint32_t category_id = 0;  // a category's number
};

// Host time that only a first use takes: the driver ("driver"), the context ("context"), the code of a module
// ("module_load"), its variables ("module_data"), a kernel ("function_load"), the first launch of all
// ("first_launch"), or code that is compiled, or comes from the compiler's cache, or goes there ("jit":
// `text` says which).
struct FirstUse {
  std::string kind;     // one of those above
  std::string text;     // the same in words
  std::string label;    // of the learner region
  double begin_us = 0;  // on the host
  double end_us = 0;    // ... and its end
  // How long it took.
  double us() const { return end_us - begin_us; }
};

// A part of the window in which no kernel ran, and what stood between the two kernels.
struct Gap {
  double begin_us = 0, end_us = 0;  // on the device's clock
  std::string cause;      // "copy", "loader", "api", "synchronise", "launch", "first use"; the rule stands in
                          // timeline/analysis.h
  std::string what;       // the range, the call, or "pageable memory"
  bool pageable = false;  // copy: from or to pageable memory
  double us() const { return end_us - begin_us; }  // how long it was
};

// A wait of the host that came again and again from one place, with new work for the device in between.
struct WaitInLoop {
  std::string api;         // "cudaDeviceSynchronize"
  std::size_t times = 0;   // how often
  std::string file;        // where the learner's code made the call
  std::uint32_t line = 0;  // in that file
};

// What the learner regions of one run did, and questions to it.
class Trace {
 public:
  const std::vector<Step>& steps() const;                        // all of them, in the order of the calls
  std::vector<Step> of(Step::Kind kind) const;                   // those of one kind
  std::vector<Step> copies(std::string_view direction) const;    // "host to device"
  std::vector<Step> kernels() const;                             // the launches
  std::uint64_t bytes_copied(std::string_view direction) const;  // all copies of a direction together

  // Allocations made in the regions and not released in them.
  std::vector<Step> leaks() const;
  // --- NVTX ranges, on every machine ---
  const std::vector<Range>& ranges() const;  // in the order in which they began, marks among them
  std::vector<Range> ranges(std::string_view name) const;
  std::vector<Range> open_ranges() const;
  std::size_t stray_pops() const;  // pops where nothing was open
  const std::vector<RangeName>& range_names() const;
  // The calls made while a range was open: by order, and for a nested range on its own thread.
  std::vector<Step> steps_in(const Range& range) const;
  // The tree of one thread's nested ranges in words: "epoch(batch(load h2d) batch(load h2d))".
  std::string tree(std::string_view domain = {}, int thread = 0) const;

  // --- time on the device: the simulated one's, modelled; a GPU's where the run asked for it
  // (Run::device_times), elsewhere unknown: then these are 0 or empty ---

  bool device_times_known() const;  // ask first
  // Shares of the window, 0 to 1. The window is from the first device operation to the last, or what is
  // given.
  double busy() const;  // at least one kernel runs
  double busy(double begin_us, double end_us) const;
  double copy_busy() const;
  double overlap() const;  // of the copies' time, what lies under a kernel
  std::vector<Gap> gaps(double at_least_us) const;
  std::vector<WaitInLoop> waits_in_loops(std::size_t at_least = 3) const;

  // What the regions used for the first time in this process; on a GPU nothing is known of it.
  std::vector<FirstUse> first_uses() const;
  std::vector<FirstUse> first_uses(std::string_view kind) const;

  // The steps as letters, for messages and order checks: A allocate, > copy in, K kernel, < copy out, F free,
  // S synchronise, = device-to-device, M memset.
  std::string letters() const;

  // Counters of the n-th kernel, by Nsight Compute's name; nullopt on a GPU or for a name that is not
  // counted.
  bool counters_known() const;
  std::optional<std::uint64_t> counter(std::size_t kernel, std::string_view name) const;

  struct State;
  // Used by the library.
  explicit Trace(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace workbook
