// Who touched which word last: the detection of races.
//
// A race is a plain write and another access (by another warp, or by another block for global memory) with
// nothing that orders them. A write that leaves the bytes as they are is not one: nobody can see it. Two
// accesses of one warp are never reported: they run in one order here.
//
// What orders accesses
//   within a block   a barrier, a fence or an access that releases between them (any of them: the block has
//                    one count of epochs);
//   between blocks   a fence after the first access, then an atomic or volatile access of the same block to
//   some
//                    word, which the second block read by an atomic or volatile access before its own.
// This errs on the side of silence: a fence by any thread of the block counts for all of them.
//
// Global words are kept in a table of cells (one per 4-byte word, made by chunks on demand); a cell names the
// last plain write and one other access by a number in the log of memory instructions.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace workbook::sim {

struct Inst;
struct Block;
struct Warp;

// The other party of a race.
struct RaceParty {
  bool found = false;
  std::uint32_t lane_here = 0;
  std::uint64_t block = 0;
  std::uint32_t thread = 0;  // linear in its block
  std::uint32_t site = 0;    // Code::first_hit + pc
  bool was_write = false;
};

// Shared memory of one block.
//
// Reads of an epoch in which nobody has written yet can race only with a write that is still to come. They
// are noted as they are, and looked at cell by cell when that write comes; mostly a barrier comes first, and
// they are forgotten.
class SharedRaces {
 public:
  void configure(std::uint32_t bytes, bool by_byte);
  // `offsets` of the lanes in the mask, `size` bytes each. `silent`: lanes whose write changes nothing.
  RaceParty access(std::uint32_t warp, std::uint32_t site, std::uint32_t mask, const std::uint32_t* offsets,
                   std::uint32_t size, bool plain_write, std::uint32_t silent, std::uint32_t epoch);

 private:
  struct Cell {
    std::uint64_t write = 0, other = 0;
  };
  struct Read {
    std::uint32_t warp, site, mask, size;
    std::uint32_t offsets[32];
  };
  RaceParty look(std::uint32_t warp, std::uint32_t site, std::uint32_t mask, const std::uint32_t* offsets,
                 std::uint32_t size, bool plain_write, std::uint32_t silent, std::uint64_t now);
  void look_at_reads();

  std::vector<Cell> cells_;
  std::vector<Read> reads_;  // of this epoch, before its first write; only the first `read_count_` count
  std::size_t read_count_ = 0;
  bool written_ = false;  // somebody wrote in this epoch
  std::uint32_t shift_ = 2;
  std::uint64_t generation_ = 0;  // distinguishes blocks: added to their epochs
  std::uint64_t last_epoch_ = 0;
};

// The coarse detection for large launches: which block wrote, and which read, each 32-byte sector.
//
// A cell holds the ticket of the writer (high half) and of the reader (low half); `many` stands for several
// readers. Cells only ever move up, by compare-and-swap, so whether two blocks met in a sector does not
// depend on the order in which host threads ran them. A meeting is not yet a race (the two may use different
// words): the launch is undone and run again in order with exact detection.
class SectorOwners {
 public:
  // Tickets of earlier launches are smaller than `many`.
  SectorOwners(std::uint64_t* cells, std::uint64_t many) : cells_(cells), many_(many) {}
  std::uint32_t ticket(std::uint64_t order) const { return static_cast<std::uint32_t>(many_ + 1 + order); }
  void read(std::uint64_t sector, std::uint32_t mine) {
    std::atomic_ref<std::uint64_t> cell(cells_[sector]);
    std::uint64_t old = cell.load(std::memory_order_relaxed);
    while (true) {
      const std::uint32_t reader = valid(static_cast<std::uint32_t>(old)),
                          writer = valid(static_cast<std::uint32_t>(old >> 32));
      if (writer != 0 && writer != mine) meet();
      if (reader == mine || reader == many_) return;
      const std::uint64_t now =
          std::uint64_t{writer} << 32 | (reader == 0 ? mine : static_cast<std::uint32_t>(many_));
      if (cell.compare_exchange_weak(old, now, std::memory_order_relaxed)) return;
    }
  }
  void write(std::uint64_t sector, std::uint32_t mine) {
    std::atomic_ref<std::uint64_t> cell(cells_[sector]);
    std::uint64_t old = cell.load(std::memory_order_relaxed);
    while (true) {
      const std::uint32_t reader = valid(static_cast<std::uint32_t>(old)),
                          writer = valid(static_cast<std::uint32_t>(old >> 32));
      if ((writer != 0 && writer != mine) || (reader != 0 && reader != mine)) meet();
      if (writer == mine) return;
      if (cell.compare_exchange_weak(old, std::uint64_t{mine} << 32 | reader, std::memory_order_relaxed))
        return;
    }
  }
  bool met() const { return met_.load(std::memory_order_relaxed); }

 private:
  std::uint32_t valid(std::uint32_t ticket) const { return ticket < many_ ? 0 : ticket; }
  void meet() { met_.store(true, std::memory_order_relaxed); }
  std::uint64_t* cells_;
  std::uint64_t many_;
  std::atomic<bool> met_{false};
};

// What a block has published and seen.
struct BlockSync {
  struct Publication {
    std::uint64_t word;
    std::uint32_t index;
    std::uint32_t fence_time;
  };
  std::uint32_t fence_time = 0;  // sync clock of the block's last fence
  std::vector<Publication> published;
  std::unordered_map<std::uint64_t, std::uint32_t> acquired;  // word -> publications of that word seen
};

class GlobalRaces {
 public:
  explicit GlobalRaces(std::uint64_t base);
  ~GlobalRaces();
  void begin_launch();
  RaceParty access(Block& block, std::uint32_t warp, std::uint32_t site, std::uint32_t mask,
                   const std::uint64_t* addresses, std::uint32_t size, bool plain_write,
                   std::uint32_t silent);
  // Synchronisation. An atomic or strong write publishes, an atomic or strong read acquires.
  void fence(Block& block);
  void publish(Block& block, std::uint64_t address);
  void acquire(Block& block, std::uint64_t address);

 private:
  struct Context {
    std::uint64_t block;
    std::uint32_t site, epoch, time;
    std::uint32_t warp;
  };
  struct Cell {
    std::uint32_t write = 0, other = 0;
  };  // (number of the context << 5 | lane), 0: none
  struct Word {
    std::uint32_t count = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> seen_by_publishers;
  };
  static constexpr std::uint64_t chunk_bytes = 1 << 16;
  using Chunk = std::array<Cell, chunk_bytes / 4>;

  Cell& cell(std::uint64_t address);
  const Context* context(std::uint32_t mark) const;
  bool ordered(const Context& before, const Block& now, std::uint32_t warp, std::uint64_t address) const;
  void forget();

  std::uint64_t base_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
  std::uint64_t last_chunk_ = ~0ull;
  Chunk* last_ = nullptr;
  std::vector<Context> log_;
  std::uint32_t log_base_ = 1;  // number of log_[0]
  std::uint32_t clock_ = 1;     // fences so far
  bool give_up_ = false;        // too many words synchronise: nothing between blocks is reported
  std::unordered_map<std::uint64_t, Word> words_;
  std::unordered_map<std::uint64_t, std::vector<BlockSync::Publication>> publications_;  // by block
};

}  // namespace workbook::sim
