// Two operations use the same bytes, one of them to write, and nothing orders them: the missing edge, found
// whatever happened to come first in this run.
//
// For every byte that operations have used, the last write and the reads since are kept, by ranges. An
// operation that takes place is held against them: whatever is not done before it by order (order.h) is in
// conflict with it. Copies and fills know their bytes; a kernel's come from the simulator, which sees every
// access (sim/touched.h). Atomic operations count as reads. Giving memory back counts as a write, and so does
// an allocation in a stream.
//
// What the host itself reads and writes is not seen, with one exception: the pinned source of an asynchronous
// copy. Its bytes are kept at the call, and must still be the same when the copy takes place and when the
// host first knows that it is done; in between only another operation of the device may change them.
//
// All this is only looked at once the program has made a stream: without one everything is in order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cudart/copies.h"
#include "cudart/engine.h"
#include "sim/device.h"
#include "trace/event.h"

namespace workbook::cudart {

class Hazards {
 public:
  using About = std::shared_ptr<const trace::Event>;

  // From here on; called when the first stream is made.
  void begin();
  bool active() const { return active_; }

  // An operation takes place that uses these bytes.
  void takes_place(const Op& op, const About& about, const std::vector<sim::Touched>& ranges);
  // The bytes belong to nobody any more.
  void forget(std::uint64_t begin, std::uint64_t end);
  void forget_all();

  // The host source of a copy that was just put in a stream.
  void keep_source(const OpRef& op, const About& about, const Rows& rows);
  // That copy reads its source now.
  void reads_source(const Op& op);
  // The host has learned something: copies that it knows to be done need no watching any more.
  void host_learned(const Ordered& knowledge);
  // A function of the program runs in a stream: it may fill the sources of copies that have not begun.
  void host_function_runs();

 private:
  struct Party {
    int stream = 0;
    std::uint64_t place = 0;
    About about;
  };
  using PartyRef = std::shared_ptr<const Party>;
  struct Cell {
    std::uint64_t end = 0;
    PartyRef writer;  // null: none is known
    std::vector<PartyRef> readers;
  };
  using Cells = std::map<std::uint64_t, Cell>;
  struct Source {
    OpRef op;
    About about;
    Rows rows;
    std::vector<std::byte> bytes;
  };

  void split(std::uint64_t at);
  void look(const Op& op, const PartyRef& me, const sim::Touched& range);
  void hold_against(const Op& op, const PartyRef& me, const PartyRef& other, std::uint64_t begin,
                    std::uint64_t end, bool other_wrote, bool i_write);
  bool compare(const Source& source);  // false: reported

  bool active_ = false;
  Cells cells_;
  std::vector<Source> sources_;
  std::size_t kept_bytes_ = 0;
  std::set<std::pair<std::uint64_t, std::uint64_t>> told_;  // pairs of calls
};

// The bytes of the rows of a copy: reads of its source, writes of its destination.
void add_rows(std::vector<sim::Touched>& ranges, std::uint64_t address, std::size_t pitch, std::size_t width,
              std::size_t height, bool written);

}  // namespace workbook::cudart
