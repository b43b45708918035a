// A fault of the simulated device in the words of an exercise: elements of named arrays, not bytes at
// addresses.
//
// The facts come as the JSON of sim::Fault in the event's detail. The judge adds what only it knows: how
// large an element of a named array is, how many there are, and where the learner's code allocated an unnamed
// one.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/judge/cases.h"
#include "harness/judge/options.h"
#include "harness/judge/state.h"

namespace workbook::judge {

using nlohmann::json;
using trace::Event;
using trace::EventKind;

namespace {

using Three = std::array<std::uint32_t, 3>;

struct Facts {
  std::string kind, kernel, text, file, name;
  Three block{}, thread{}, other_block{}, other_thread{};
  std::uint32_t line = 0, column = 0, other_line = 0, threads = 1, bytes = 0;
  bool write = false, has_other = false, allocation_known = false;
  std::uint64_t base = 0, size = 0, address = 0;
  std::int64_t offset = 0;
  std::vector<std::uint64_t> allocated_frames, freed_frames, other_frames;  // call stacks
  std::vector<std::string> evidence;                                        // further sentences
  std::string note, other_note, other_kernel;
};

template <class T>
void get(const json& in, const char* key, T& value) {
  if (const auto found = in.find(key); found != in.end() && !found->is_null()) value = found->get<T>();
}

Facts facts_of(const Event& event) {
  Facts f;
  f.text = event.text;
  f.kind = "fault";
  f.kernel = event.name;
  const json d = json::parse(event.detail_json, nullptr, /*allow_exceptions=*/false);
  if (!d.is_object()) return f;
  get(d, "kind", f.kind);
  get(d, "kernel", f.kernel);
  get(d, "text", f.text);
  get(d, "block", f.block);
  get(d, "thread", f.thread);
  get(d, "bytes", f.bytes);
  get(d, "address", f.address);
  get(d, "is_write", f.write);
  get(d, "threads_at_fault", f.threads);
  get(d, "allocated_frames", f.allocated_frames);
  get(d, "freed_frames", f.freed_frames);
  get(d, "evidence", f.evidence);
  get(d, "note", f.note);
  get(d, "other_frames", f.other_frames);
  get(d, "other_note", f.other_note);
  get(d, "other_kernel", f.other_kernel);
  if (const auto other = d.find("other"); other != d.end() && other->is_object()) {
    f.has_other = true;
    get(*other, "block", f.other_block);
    get(*other, "thread", f.other_thread);
    if (const auto at = other->find("at"); at != other->end()) get(*at, "line", f.other_line);
  }
  if (const auto at = d.find("at"); at != d.end() && at->is_object()) {
    get(*at, "file", f.file);
    get(*at, "line", f.line);
    get(*at, "column", f.column);
  }
  if (const auto a = d.find("allocation"); a != d.end() && a->is_object()) {
    get(*a, "known", f.allocation_known);
    get(*a, "name", f.name);
    get(*a, "base", f.base);
    get(*a, "size", f.size);
    get(*a, "offset", f.offset);
  }
  return f;
}

// The launch during which it happened: it says whether blocks and threads have more than one dimension.
const Event* launch_of(const Answer& answer, const Facts& f) {
  const Event* found = nullptr;
  for (const Event& event : answer.events) {
    if (event.kind == EventKind::kernel && event.name == f.kernel) found = &event;
  }
  return found;
}

std::string index_words(const Three& index, const Three& extent) {
  if (extent[1] <= 1 && extent[2] <= 1 && index[1] == 0 && index[2] == 0) return fmt::format("{}", index[0]);
  if (extent[2] <= 1 && index[2] == 0) return fmt::format("({}, {})", index[0], index[1]);
  return fmt::format("({}, {}, {})", index[0], index[1], index[2]);
}

std::string who(const Three& thread, const Three& block, const Event* launch) {
  const Three one{1, 1, 1};
  return fmt::format("thread {} of block {}", index_words(thread, launch ? launch->block : one),
                     index_words(block, launch ? launch->grid : one));
}

// The array of the exercise, when the fault is about one.
const Item* named_array(const Result::State& state, const Facts& f) {
  return f.name.empty() ? nullptr : state.request.find(f.name);
}

std::int64_t element_index(std::int64_t offset, std::size_t element) {
  const auto size = static_cast<std::int64_t>(element == 0 ? 1 : element);
  return offset >= 0 ? offset / size : -((-offset + size - 1) / size);
}

// The learner's own allocation: "the 4000 bytes allocated at line 27".
struct Block {
  std::string words;
  CallSite site, freed;
};

CallSite site_of(std::vector<std::uint64_t> frames, const std::string& kernel = {}) {
  Event event;
  event.frames = std::move(frames);
  if (!kernel.empty()) {
    event.kind = EventKind::kernel;
    event.name = kernel;
  }
  return call_site(event);
}

Block learner_block(const Facts& f) {
  Block block{fmt::format("an allocation of {} bytes", f.size), site_of(f.allocated_frames),
              site_of(f.freed_frames)};
  if (block.site.known())
    block.words = fmt::format("the {} bytes allocated at line {}", f.size, block.site.line);
  return block;
}

std::string elements(std::size_t count) {
  return fmt::format("{} element{}", count, count == 1 ? "" : "s");
}

std::string array_sentence(const Facts& f, const Item& item) {
  const auto index = element_index(f.offset, item.element);
  const char* verb = f.write ? "written" : "read";
  const bool outside = index < 0 || static_cast<std::size_t>(index) >= item.count;
  if (f.kind == "use_after_free") return fmt::format("{} was {} after it was freed.", item.name, verb);
  if (f.kind == "out_of_bounds" || (f.kind == "uninitialised_read" && outside)) {
    if (index < 0)
      return fmt::format("{}[{}] was {}, and {} begins at {}[0].", item.name, index, verb, item.name,
                         item.name);
    return fmt::format("{}[{}] was {}, and {} has {}.", item.name, index, verb, item.name,
                       elements(item.count));
  }
  if (f.kind == "uninitialised_read")
    return fmt::format("{}[{}] was read before anything was written to it.", item.name, index);
  if (f.kind == "race_global")
    return fmt::format("two threads used {}[{}], at least one of them to write, with no order between them.",
                       item.name, index);
  return {};
}

// The first byte that is too far lies no bytes past the end, which reads as if it were inside.
std::string distance_past(std::int64_t bytes) {
  return bytes == 0 ? "just past" : fmt::format("{} byte{} past", bytes, bytes == 1 ? "" : "s");
}

std::string block_sentence(const Facts& f, const Block& block) {
  const char* verb = f.write ? "written" : "read";
  const std::string bytes =
      fmt::format("{} byte{} {}", f.bytes, f.bytes == 1 ? "" : "s", f.bytes == 1 ? "was" : "were");
  if (f.kind == "use_after_free") return fmt::format("{} were {} after they were freed.", block.words, verb);
  if (f.kind == "out_of_bounds") {
    if (f.offset < 0)
      return fmt::format("{} {} {} before the begin of {}.", bytes, verb, -f.offset, block.words);
    const std::int64_t behind = f.offset - static_cast<std::int64_t>(f.size);
    if (behind < 0)
      return fmt::format("{} {} from byte {} of {}: {} of them lie past its end.", bytes, verb, f.offset,
                         block.words, f.bytes + behind);
    return fmt::format("{} {} {} the end of {}.", bytes, verb, distance_past(behind), block.words);
  }
  if (f.kind == "uninitialised_read")
    return fmt::format("{} read at byte {} of {}, and nothing was written there before.", bytes, f.offset,
                       block.words);
  return {};
}

std::string sentence(const Facts& f, const Item* item, const Block& block) {
  std::string text;
  if (item != nullptr)
    text = array_sentence(f, *item);
  else if (f.allocation_known)
    text = block_sentence(f, block);
  if (text.empty()) text = f.text;
  if (text.empty()) text = fmt::format("the device met a fault: {}.", f.kind);
  return text;
}

std::string note(const Facts& f, const Item* item, const Block& block) {
  if (!f.note.empty()) return f.note;
  if (f.bytes == 0) return f.text;
  const std::string access =
      fmt::format("{} {} byte{}", f.write ? "writes" : "reads", f.bytes, f.bytes == 1 ? "" : "s");
  const std::string what =
      item != nullptr ? fmt::format("{} ({} bytes)", item->name, item->bytes()) : block.words;
  if (f.kind == "out_of_bounds" && f.allocation_known) {
    if (f.offset < 0) return fmt::format("{}, {} before the begin of {}", access, -f.offset, what);
    const auto size = static_cast<std::int64_t>(item != nullptr ? item->bytes() : f.size);
    if (f.offset < size) return fmt::format("{} at the end of {}", access, what);
    return fmt::format("{}, {} the end of {}", access, distance_past(f.offset - size), what);
  }
  if (f.kind == "uninitialised_read") return fmt::format("{} that nobody wrote, of {}", access, what);
  if (f.kind == "use_after_free") return fmt::format("{} of {}, which is freed", access, what);
  return access;
}

std::string question_for(const Facts& f) {
  if (f.kind == "out_of_bounds") return "Which threads have no element, and what should they do?";
  if (f.kind == "use_after_free") return "Which call is the last that needs this memory?";
  if (f.kind == "uninitialised_read")
    return "Which line should have filled this place? Or should this thread not read it?";
  if (f.kind == "null_pointer") return "Which line should have given this pointer its address?";
  if (f.kind == "host_pointer" || f.kind == "host_dereference" || f.kind == "bad_kind")
    return "On which side does the memory behind this pointer live?";
  if (f.kind == "double_free" || f.kind == "bad_free")
    return "Which call allocated it, and how often is it given back?";
  if (f.kind == "race_shared" || f.kind == "race_global") return "What makes one thread wait for the other?";
  if (f.kind == "unordered") return "What could the later of the two wait for, and where is that recorded?";
  if (f.kind == "source_changed") return "What tells whoever fills this memory that the copy is done?";
  if (f.kind == "absent_lanes") return "Which lanes come to this line, and which does its mask name?";
  if (f.kind == "divergent_barrier") return "Do all threads of the block reach the same barrier?";
  if (f.kind == "deadlock" || f.kind == "endless_kernel")
    return f.kind == "deadlock" ? "Which condition ends the wait, and who makes it true?"
                                : "How many times does this thread go round its loop, and what ends it?";
  return "What does this line do for the thread named above?";
}

trace::Outcome outcome_of(const std::string& kind) {
  if (kind == "endless_kernel" || kind == "deadlock") return trace::Outcome::timed_out;
  return kind == "host_dereference" ? trace::Outcome::crashed : trace::Outcome::wrong;
}

}  // namespace

trace::Failure fault_failure(const Result::State& state, const Event& event) {
  const Facts f = facts_of(event);
  const Item* item = named_array(state, f);
  const Block block = item == nullptr && f.allocation_known ? learner_block(f) : Block{};
  const Event* launch = launch_of(state.answer, f);

  trace::Failure failure;
  failure.outcome = outcome_of(f.kind);
  failure.kind = "fault";
  failure.code = f.kind;
  const std::string says = sentence(f, item, block);
  failure.headline = first_wrong(state.say, says);
  if (!f.kernel.empty())
    failure.evidence.push_back(fmt::format("{} (kernel {})", who(f.thread, f.block, launch), f.kernel));
  if (f.threads > 1)
    failure.evidence.push_back(fmt::format("{} threads of this warp do the same.", f.threads));
  if (f.has_other)
    failure.evidence.push_back(fmt::format("the other: {}{}", who(f.other_thread, f.other_block, launch),
                                           f.other_line > 0 ? fmt::format(", line {}", f.other_line) : ""));
  // The note under the caret says it already for an access past an end.
  if (!f.text.empty() && f.text != says && f.kind != "out_of_bounds") failure.evidence.push_back(f.text);

  failure.evidence.insert(failure.evidence.end(), f.evidence.begin(), f.evidence.end());

  if (f.line > 0) {
    failure.places.push_back({learner_path(f.file), f.line, f.column, note(f, item, block)});
  } else if (const CallSite site = site_of(event.frames, event.name); site.known()) {
    failure.places.push_back({site.file, site.line, 0, note(f, item, block)});
  }
  if (const CallSite site = site_of(f.other_frames, f.other_kernel); site.known())
    failure.places.push_back({site.file, site.line, 0, f.other_note});
  if (f.kind == "unordered" || f.kind == "source_changed") {
    failure.question = question_for(f);
    return failure;
  }
  if (block.site.known())
    failure.places.push_back(
        {block.site.file, block.site.line, 0, fmt::format("allocates {} bytes", f.size)});
  if (block.freed.known()) failure.places.push_back({block.freed.file, block.freed.line, 0, "frees them"});
  failure.question = question_for(f);
  return failure;
}

}  // namespace workbook::judge
