#include <workbook/check.h>

#include <algorithm>

using namespace workbook;

EXERCISE("8.1",
         "Say where a pointer lives: pageable or pinned host memory, device memory, or managed memory.")

namespace {

enum Place { pageable, pinned, device, managed };
constexpr const char* place_names[] = {"pageable", "pinned", "device", "managed"};

std::string name_of(std::int64_t place) {
  return place >= 0 && place <= 3 ? place_names[place] : fmt::format("number {}", place);
}

struct Spot {
  const char* name;
  const char* words;
  Place place;
};

// Nobody has to move or to read a byte to know where it lives.
void expect_only_asked(const Result& result) {
  for (const Step& step : result.trace().steps()) {
    const bool moves =
        step.kind == Step::Kind::copy || step.kind == Step::Kind::set || step.kind == Step::Kind::kernel;
    if (!moves) continue;
    result.fail({"moves_bytes",
                 fmt::format("{}{} was called to find out.", step.api,
                             step.line > 0 ? fmt::format(" at line {}", step.line) : std::string()),
                 {"Pinned and pageable memory are both copied without complaint, and pinned memory is read "
                  "by host and "
                  "device.",
                  "A copy of somebody's memory takes time, and a copy to it destroys what is there."},
                 "Who gave out the memory, and so knows what it is?"});
  }
}

// `earlier`: what the same byte was when it was asked about before.
void expect_place(const Result& result, const char* part, const Spot& spot, const char* earlier = nullptr) {
  const std::int64_t said = result.integer(fmt::format("said.{}.{}", spot.name, part));
  if (said == spot.place) return;
  const std::string byte =
      std::string(part) == "middle" ? "A byte in the middle" : fmt::format("The {} byte", part);
  if (earlier != nullptr && said == result.integer(fmt::format("said.{}.{}", earlier, part)))
    result.fail(
        {fmt::format("place.{}", place_names[spot.place]),
         fmt::format("{} of {} is {}, and place_of says {}.", byte, spot.words, name_of(spot.place),
                     name_of(said)),
         {fmt::format("It was {} when the same address was asked about before, and that was the answer "
                      "then, too.",
                      name_of(said))},
         "What has happened to this memory in between, and whom does your function ask now?"});
  result.fail({fmt::format("place.{}", place_names[spot.place]),
               fmt::format("{} of {} is {}, and place_of says {}.", byte, spot.words, name_of(spot.place),
                           name_of(said)),
               {"The attributes have a field that tells the four apart. The others (device, devicePointer, "
                "hostPointer) "
                "are set for more than one of them."},
               "What do the attributes say for this memory, and which of your lines reads it?"});
}

void expect_nothing_left(const Result& result) {
  if (result.text("left").empty()) return;
  result.fail({"error_left",
               fmt::format("place_of leaves {} behind.", result.text("left")),
               {fmt::format("asked about: {}", result.text("left_by")),
                "The caller asks for errors after their next launch, and will look for this one there."},
               "Which of your calls is refused for some kind of memory?"});
}

}  // namespace

CHECK_CASE(every_kind_of_memory) {
  Run run("kinds");
  run.say("every kind of memory");
  const Result result = run.go();
  if (!result.has("left")) result.expect_clean();
  expect_only_asked(result);
  const Spot blocks[] = {{"stack", "an array on the stack", pageable},
                         {"new_small", "a small block of new", pageable},
                         {"new_large", "a large block of new", pageable},
                         {"file_scope", "an array at file scope", pageable},
                         {"device", "a block of cudaMalloc", device},
                         {"device_large", "a large block of cudaMalloc", device},
                         {"device_async", "a block of cudaMallocAsync", device},
                         {"malloc_host", "a block of cudaMallocHost", pinned},
                         {"host_alloc_portable", "a block of cudaHostAlloc", pinned},
                         {"host_alloc_combined", "a write-combined block of cudaHostAlloc", pinned},
                         {"managed", "a block of cudaMallocManaged", managed}};
  for (const Spot& spot : blocks) {
    for (const char* part : {"first", "middle", "last"}) expect_place(result, part, spot);
  }
  expect_nothing_left(result);
  result.expect_clean();
  passed("right for {} ways to get memory, first byte to last", std::size(blocks));
}

CHECK_CASE(registered_and_back) {
  Run run("registered");
  run.say("memory that is registered for a while");
  const Result result = run.go();
  if (!result.has("left")) result.expect_clean();
  if (result.integer("register") != 0) not_run("this machine does not register host memory");
  const Spot before{"not_yet", "pages that nobody has registered", pageable},
      during{"registered", "pages that cudaHostRegister has pinned", pinned},
      after{"unregistered", "pages that cudaHostUnregister has let go", pageable};
  for (const char* part : {"first", "middle", "last"}) {
    expect_place(result, part, before);
    expect_place(result, part, during, "not_yet");
    expect_place(result, part, after, "registered");
  }
  for (const char* part : {"before", "after"}) {
    const std::int64_t said = result.integer(fmt::format("said.registered.{}", part));
    result.expect_that(said == pageable,
                       {"place.beside",
                        fmt::format("A byte {} the registered pages is pageable, and place_of says {}.", part,
                                    name_of(said)),
                        {"Only a part of the block was registered."},
                        "Does your function ask about this byte, or about the block it belongs to?"});
  }
  result.expect_clean();
  passed("follows memory that is registered and unregistered");
}

CHECK_CASE(errors_of_others) {
  Run run("pending");
  run.say("an error is waiting from before");
  const Result result = run.go();
  if (!result.has("after")) result.expect_clean();
  for (const auto& [key, place] : {std::pair{"pinned", pinned}, {"device", device}}) {
    const std::int64_t said = result.integer(key);
    result.expect_that(
        said == place,
        {"earlier_error",
         fmt::format("{} memory is called {}.", place_names[place], name_of(said)),
         {fmt::format("before the call, the last error was {}: somebody else's", result.text("before"))},
         "Whose error does cudaGetLastError give you, and what does cudaPointerGetAttributes return?"});
  }
  result.expect_that(result.text("after") == result.text("before"),
                     {"takes_errors_away",
                      fmt::format("After place_of the last error is {}; it was {} before.",
                                  result.text("after"), result.text("before")),
                      {"The caller has yet to ask for it, and will believe that all went well."},
                      "Which call of yours fetches an error that is not yours?"});
  passed("neither leaves an error nor takes one away");
}
