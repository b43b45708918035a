#include "cudart/hazards.h"

#include <fmt/format.h>

#include <cstring>

#include "cudart/faults.h"

namespace workbook::cudart {

namespace {

constexpr std::size_t most_told = 64;
constexpr std::size_t most_kept_bytes = std::size_t{512} << 20;  // of sources; more are not watched

std::string stream_words(int stream) {
  return stream == 0 ? "the default stream" : fmt::format("stream {}", stream);
}

std::string short_name(std::string name) {
  constexpr std::string_view nameless = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(nameless)) != std::string::npos;) name.erase(at, nameless.size());
  return name;
}

// "kernel scale in stream 2"
std::string words(const trace::Event& event) {
  const std::string where = " in " + stream_words(event.stream);
  switch (event.kind) {
    case trace::EventKind::kernel:
      return "kernel " + short_name(event.name) + where;
    case trace::EventKind::copy:
      return "the copy" + where;
    case trace::EventKind::memset:
      return "the fill" + where;
    case trace::EventKind::alloc:
      return "the allocation" + where;
    case trace::EventKind::free:
      return "the release" + where;
    default:
      return event.api + where;
  }
}

std::string memory_words(std::uint64_t begin, std::uint64_t end) {
  const PointerFacts facts = Runtime::get().facts(reinterpret_cast<const void*>(begin));
  const std::string bytes = fmt::format("{} byte{}", end - begin, end - begin == 1 ? "" : "s");
  if (facts.base == 0) return bytes;
  return fmt::format("{} of {}, from byte {} on", bytes, describe(facts), begin - facts.base);
}

const char* does(const trace::Event& event, bool writes) {
  if (event.kind == trace::EventKind::free) return "gives back";
  if (event.kind == trace::EventKind::alloc) return "makes";
  return writes ? "writes" : "reads";
}

}  // namespace

void add_rows(std::vector<sim::Touched>& ranges, std::uint64_t address, std::size_t pitch, std::size_t width,
              std::size_t height, bool written) {
  if (height <= 1 || pitch == width) {
    ranges.push_back({address, address + width * height, written});
    return;
  }
  for (std::size_t row = 0; row < height; ++row)
    ranges.push_back({address + row * pitch, address + row * pitch + width, written});
}

void Hazards::begin() {
  if (active_) return;
  active_ = true;
  Runtime::get().memory().note_touched();
}

// No cell crosses this address.
void Hazards::split(std::uint64_t at) {
  auto after = cells_.upper_bound(at);
  if (after == cells_.begin()) return;
  auto& [begin, cell] = *std::prev(after);
  if (begin == at || cell.end <= at) return;
  Cell rest = cell;
  cell.end = at;
  cells_.emplace(at, std::move(rest));
}

void Hazards::hold_against(const Op& op, const PartyRef& me, const PartyRef& other, std::uint64_t begin,
                           std::uint64_t end, bool other_wrote, bool i_write) {
  if (other == nullptr || op.ordered.covers(other->stream, other->place)) return;
  const bool i_was_called_first = me->about->id < other->about->id;
  const trace::Event& first = i_was_called_first ? *me->about : *other->about;
  const trace::Event& second = i_was_called_first ? *other->about : *me->about;
  if (told_.size() >= most_told || !told_.emplace(first.id, second.id).second) return;
  const bool first_writes = i_was_called_first ? i_write : other_wrote;
  const bool second_writes = i_was_called_first ? other_wrote : i_write;
  HostFault fault;
  fault.kind = "unordered";
  fault.text =
      fmt::format("{} {} memory that {} {}, and nothing makes one wait for the other.", words(second),
                  does(second, second_writes), words(first), does(first, first_writes));
  fault.about = begin;
  fault.bytes = end - begin;
  fault.evidence = {fmt::format("Both use {}.", memory_words(begin, end)),
                    fmt::format("What is missing is an edge from {} to {}: which comes first is luck.",
                                words(first), words(second))};
  fault.other_frames = first.frames;
  fault.other_kernel = first.kind == trace::EventKind::kernel ? first.name : "";
  fault.other_note = fmt::format("{} here", words(first));
  fault.note = fmt::format("{} here", words(second));
  report_host_fault(fault, second);
}

void Hazards::look(const Op& op, const PartyRef& me, const sim::Touched& range) {
  split(range.begin);
  split(range.end);
  auto at = cells_.lower_bound(range.begin);
  if (range.written) {
    for (; at != cells_.end() && at->first < range.end; at = cells_.erase(at)) {
      hold_against(op, me, at->second.writer, at->first, at->second.end, true, true);
      for (const PartyRef& reader : at->second.readers)
        hold_against(op, me, reader, at->first, at->second.end, false, true);
    }
    cells_.emplace_hint(at, range.begin, Cell{range.end, me, {}});
    return;
  }
  std::uint64_t covered = range.begin;
  while (covered < range.end) {
    if (at == cells_.end() || at->first > covered) {
      const std::uint64_t end = at == cells_.end() ? range.end : std::min(at->first, range.end);
      cells_.emplace_hint(at, covered, Cell{end, nullptr, {me}});
      covered = end;
      continue;
    }
    Cell& cell = at->second;
    if (cell.writer != me) hold_against(op, me, cell.writer, at->first, cell.end, true, false);
    // Whatever must come after me must come after those that I come after.
    std::erase_if(cell.readers, [&](const PartyRef& reader) {
      return reader == me || op.ordered.covers(reader->stream, reader->place);
    });
    cell.readers.push_back(me);
    covered = cell.end;
    ++at;
  }
}

void Hazards::takes_place(const Op& op, const About& about, const std::vector<sim::Touched>& ranges) {
  if (!active_) return;
  const auto me = std::make_shared<const Party>(Party{op.stream, op.place, about});
  // Reads first: what an operation reads is what was there before it.
  for (const bool written : {false, true}) {
    for (const sim::Touched& range : ranges) {
      if (range.written != written || range.begin == range.end) continue;
      look(op, me, range);
      if (!written) continue;
      // The device changes this memory itself.
      std::erase_if(sources_, [&](const Source& source) {
        const Rows& rows = source.rows;
        if (rows.from >= range.end || range.begin >= rows.from + rows.from_span()) return false;
        kept_bytes_ -= rows.bytes();
        return true;
      });
    }
  }
}

void Hazards::forget(std::uint64_t begin, std::uint64_t end) {
  if (!active_) return;
  split(begin);
  split(end);
  cells_.erase(cells_.lower_bound(begin), cells_.lower_bound(end));
}

void Hazards::forget_all() {
  cells_.clear();
  sources_.clear();
  kept_bytes_ = 0;
}

void Hazards::keep_source(const OpRef& op, const About& about, const Rows& rows) {
  if (op->done() || kept_bytes_ + rows.bytes() > most_kept_bytes) return;
  Source source{op, about, rows, std::vector<std::byte>(rows.bytes())};
  for (std::size_t row = 0; row < rows.height; ++row) {
    std::memcpy(source.bytes.data() + row * rows.width,
                reinterpret_cast<const void*>(rows.from + row * rows.from_pitch), rows.width);
  }
  kept_bytes_ += rows.bytes();
  sources_.push_back(std::move(source));
}

bool Hazards::compare(const Source& source) {
  const Rows& rows = source.rows;
  for (std::size_t row = 0; row < rows.height; ++row) {
    const auto* const now = reinterpret_cast<const std::byte*>(rows.from + row * rows.from_pitch);
    const std::byte* const then = source.bytes.data() + row * rows.width;
    if (std::memcmp(now, then, rows.width) == 0) continue;
    std::size_t byte = 0;
    while (now[byte] == then[byte]) ++byte;
    HostFault fault;
    fault.kind = "source_changed";
    fault.text =
        fmt::format("the host wrote to the source of {} before it could know that the copy was done.",
                    words(*source.about));
    fault.about = rows.from;
    fault.bytes = rows.bytes();
    fault.evidence = {fmt::format("Byte {} of its {} bytes is not what it was when the copy was asked for.",
                                  row * rows.width + byte, rows.bytes()),
                      "The source is pinned: the call returns at once, and the bytes are read later."};
    fault.note = "this copy reads it";
    report_host_fault(fault, *source.about);
    return false;
  }
  return true;
}

void Hazards::reads_source(const Op& op) {
  std::erase_if(sources_, [&](const Source& source) {
    if (source.op.get() != &op || compare(source)) return false;
    kept_bytes_ -= source.rows.bytes();
    return true;
  });
}

void Hazards::host_learned(const Ordered& knowledge) {
  std::erase_if(sources_, [&](const Source& source) {
    if (!source.op->done() || !knowledge.covers(source.op->stream, source.op->place)) return false;
    compare(source);
    kept_bytes_ -= source.rows.bytes();
    return true;
  });
}

void Hazards::host_function_runs() {
  std::erase_if(sources_, [&](const Source& source) {
    if (source.op->done()) return false;
    kept_bytes_ -= source.rows.bytes();
    return true;
  });
}

}  // namespace workbook::cudart
