#include <workbook/check.h>

#include "locked.h"

using namespace workbook;
using namespace pinned_memory;

EXERCISE("8.5",
         "A pool of pinned memory: blocks are used again, under a cap, and never while the device works with "
         "them.")

namespace {

constexpr std::uint64_t mebi = 1u << 20;

struct Scene {
  const char* what;
  std::uint64_t cap;
  std::vector<std::uint64_t> sizes;  // of one round; all held at the same time
  std::string kinds;                 // P pinned, - pageable
  bool one_by_one = false;           // each is given back before the next one
};

Result requested(const Scene& scene, int rounds, int refuse = 0) {
  Run run("requests");
  run.say("{}, cap {}", scene.what, in_mib(scene.cap));
  run.value("cap", scene.cap).value("rounds", rounds).value("refuse", refuse).in("sizes", scene.sizes);
  run.value("one_by_one", scene.one_by_one ? 1 : 0);
  Result result = run.go();
  if (!result.has("locked")) result.expect_clean();
  return result;
}

std::string list(const std::vector<std::uint64_t>& sizes) {
  std::string text;
  for (const std::uint64_t bytes : sizes) text += (text.empty() ? "" : ", ") + in_mib(bytes);
  return text;
}

void expect_blocks(const Result& result) {
  result.expect_that(result.integer("nothing") == 0,
                     {"nothing",
                      "acquire gave a null pointer.",
                      {"A caller without memory can't go on; a caller with pageable memory is only slower."},
                      "What is left to give when no more may be pinned?"});
  result.expect_that(
      result.integer("too_small") == 0,
      {"too_small",
       "A block has fewer bytes than were asked for.",
       {"Its first byte is pinned, and the last one of those asked for belongs to somebody else."},
       "Which of the free blocks may serve a request?"});
  result.expect_that(
      result.integer("says_pinned") == 0,
      {"not_pinned",
       "A block says pinned, and its memory is pageable.",
       {"The caller will wait for copies that they believe to run on their own, and will not know why."},
       "What does the block say that does not come from pinned memory?"});
  result.expect_that(
      result.integer("says_pageable") == 0,
      {"pinned_unsaid", "A block says pageable, and its memory is pinned.", {}, "Where is `pinned` set?"});
  result.expect_that(result.integer("overlapping") == 0,
                     {"two_holders",
                      "Two blocks that are held at the same time share bytes.",
                      {},
                      "How does acquire know that a block is somebody's?"});
}

void expect_cap(const Result& result, const Scene& scene) {
  const Locked locked = locked_memory(result);
  result.expect_that(
      locked.most <= scene.cap,
      {"over_the_cap",
       fmt::format("{} of pinned memory at one time, and the cap is {}.", in_mib(locked.most),
                   in_mib(scene.cap)),
       {fmt::format("requests, all held at the same time: {}", list(scene.sizes)),
        "Every pinned page is missing elsewhere: the cap is what the rest of the machine relies on."},
       "How much is pinned once the new block is there, and what did you count?"});
}

void expect_counted(const Result& result) {
  const Locked locked = locked_memory(result);
  const auto said = static_cast<std::uint64_t>(result.integer("locked"));
  result.expect_that(said == locked.most, {"locked_bytes",
                                           fmt::format("locked_bytes says {}, and {} are pinned.",
                                                       in_mib(said), in_mib(locked.most)),
                                           {},
                                           "Where does your count go up, and by how much?"});
}

void expect_kinds(const Result& result, const Scene& scene) {
  const std::string got = result.text("kinds");
  for (std::size_t i = 0; i < scene.kinds.size(); ++i) {
    if (got[i] == scene.kinds[i]) continue;
    const Locked locked = locked_memory(result);
    const bool larger = locked.pinned > 0 && std::find(scene.sizes.begin(), scene.sizes.end(),
                                                       locked.last.bytes) == scene.sizes.end();
    result.fail({"fallback",
                 fmt::format("Request {} of {} is {}, and should be {}.", i + 1, scene.sizes.size(),
                             got[i] == 'P' ? "pinned" : "pageable", got[i] == 'P' ? "pageable" : "pinned"),
                 {fmt::format("requests, all held at the same time: {}", list(scene.sizes)),
                  larger ? fmt::format("A block of {} was pinned, and nobody asked for that many: what is "
                                       "rounded up is taken from the cap.",
                                       in_mib(locked.last.bytes))
                         : "A request is pinned as long as the sum stays within the cap; a sum that is equal "
                           "to it is within."},
                 "What is the sum with this request, and what do you compare?"});
  }
}

// Pageable blocks come from the host's heap, and go back there.
void expect_given_back(const Result& result, const Scene& scene, int rounds) {
  std::uint64_t pageable = 0;
  for (std::size_t i = 0; i < scene.kinds.size(); ++i) pageable += scene.kinds[i] == '-' ? scene.sizes[i] : 0;
  const auto kept = static_cast<std::uint64_t>(result.integer("kept"));
  result.expect_that(
      kept < pageable * static_cast<std::uint64_t>(rounds) / 2,
      {"pageable_leak",
       fmt::format("{} of the host's memory are not given back, when every block was.", in_mib(kept)),
       {fmt::format("{} rounds; in each of them {} of pageable memory were asked for", rounds,
                    in_mib(pageable))},
       "What becomes of a pageable block in give_back?"});
}

// The same requests again must be served by what is there.
void expect_used_again(const Result& result, const Scene& scene, int rounds) {
  std::size_t needed = 0;
  for (const char kind : scene.kinds) needed += kind == 'P';
  const Locked locked = locked_memory(result);
  result.expect_that(
      locked.pinned <= needed,
      {"pins_again",
       fmt::format("Memory was pinned {} times, for {} rounds of the same {} request{}: it is pinned again "
                   "and again.",
                   locked.pinned, rounds, needed, needed == 1 ? "" : "s"),
       {fmt::format("the last time by {}", words(locked.last)),
        "Everything had been given back and was done before each round."},
       "Where does a block go when it is given back, and who looks there?"});
}

}  // namespace

CHECK_CASE(used_again) {
  const Scene scenes[] = {{"one request", 4 * mebi, {mebi}, "P"},
                          {"three requests", 8 * mebi, {mebi, 2 * mebi, 300'000}, "PPP"},
                          {"one byte", 4 * mebi, {1}, "P"},
                          {"larger and larger ones", 8 * mebi, {4096, 100'000, 2 * mebi}, "PPP", true}};
  for (const Scene& scene : scenes) {
    const Result result = requested(scene, 4);
    expect_blocks(result);
    expect_used_again(result, scene, 4);
    expect_cap(result, scene);
    expect_kinds(result, scene);
    expect_nothing_locked(result);
    result.expect_clean();
  }
  passed("blocks that were given back serve the next requests");
}

CHECK_CASE(under_the_cap) {
  const Scene scenes[] = {
      {"as much as the cap", 10 * mebi, {5 * mebi, 5 * mebi}, "PP"},
      {"more than the cap", 10 * mebi, {5 * mebi, 5 * mebi, 4096}, "PP-"},
      {"one larger than the cap", 4 * mebi, {5 * mebi, mebi}, "-P"},
      {"sizes that are no powers of two", 10 * mebi, {5 * mebi, 3 * mebi, 2 * mebi}, "PPP"},
      {"no pinned memory at all", 0, {mebi, 4096}, "--"},
      {"many small ones", mebi, std::vector<std::uint64_t>(20, 100'000), "PPPPPPPPPP----------"}};
  for (const Scene& scene : scenes) {
    const Result result = requested(scene, 2);
    expect_blocks(result);
    expect_cap(result, scene);
    expect_kinds(result, scene);
    expect_counted(result);
    expect_nothing_locked(result);
    result.expect_clean();
  }
  const Scene pageable{"no pinned memory at all", 0, {mebi, mebi}, "--"};
  expect_given_back(requested(pageable, 8), pageable, 8);
  const Scene refused{"the driver refuses to pin", 4 * mebi, {mebi, mebi}, "-P"};
  const Result result = requested(refused, 1, 1);
  expect_blocks(result);
  if (locked_memory(result).pinned < 2 && result.text("kinds") != "PP") expect_kinds(result, refused);
  result.expect_that(
      result.text("left").empty(),
      {"error_left",
       fmt::format("After acquire the last error is {}.", result.text("left")),
       {"The request was served with pageable memory, so nothing is wrong for the caller; but they will "
        "find this error after their next launch."},
       "What does a refused call leave behind, and who takes it away?"});
  passed("never more than the cap, and what does not fit says so");
}

CHECK_CASE(work_under_way) {
  static constexpr int held_up_us = 20'000;
  look_again([] {
    Run run("in_flight");
    run.say("a copy from the block waits in its stream").value("held_up_us", held_up_us);
    const Result result = run.go();
    if (!result.has("same")) result.expect_clean();
    for (const auto& [name, key] : {std::pair{"give_back", "give_us"}, {"acquire", "acquire_us"}}) {
      result.expect_that(
          result.number(key) < held_up_us / 2,
          {"waits",
           fmt::format("{} took {:.0f} us: it waits for the device.", name, result.number(key)),
           {fmt::format("The stream was held up for {} us.", held_up_us),
            "Who takes a block has work to do meanwhile; there are other blocks, and pageable ones."},
           "How does one ask whether something has happened, without waiting for it?"});
    }
    result.expect_that(
        result.integer("same") == 0,
        {"in_flight",
         "acquire hands out a block that a copy still reads.",
         {result.integer("wrong_at") >= 0
              ? fmt::format("The next holder wrote to it: byte {} on the device is theirs.",
                            result.integer("wrong_at"))
              : "The next holder wrote to it."},
         "Who still works with the block when it is given back, and how can the pool know the end?"});
    result.expect_that(result.integer("wrong_at") < 0, {"not_copied",
                                                        "What was written to the block is not on the device.",
                                                        {},
                                                        "Who wrote to the block before the copy was done?"});
    result.expect_that(result.integer("used_again") == 1,
                       {"pins_again",
                        "The block is not used again once the copy is done; memory is pinned again.",
                        {},
                        "Where does a block go when it is given back, and who looks there?"});
    expect_nothing_locked(result);
    result.expect_clean();
  });
  passed("a block comes back when the device is through with it");
}

CHECK_CASE(several_threads) {
  for (const int threads : {2, 4}) {
    Run run("threads");
    run.say("{} threads", threads).value("threads", threads).value("rounds", 50);
    const Result result = run.go();
    if (!result.has("spoiled")) result.expect_clean();
    result.expect_that(result.integer("spoiled") == 0,
                       {"two_holders",
                        fmt::format("{} times a thread found somebody else's bytes in its block.",
                                    result.integer("spoiled")),
                        {"Two threads held the same block at the same time."},
                        "Between finding a free block and marking it as lent: who else may be looking?"});
    const Locked locked = locked_memory(result);
    result.expect_that(
        locked.most <= threads * 2 * 4096ull,
        {"over_the_cap",
         fmt::format("{} of pinned memory at one time, and the cap is {}.", in_mib(locked.most),
                     in_mib(threads * 2 * 4096ull)),
         {"Several threads asked at the same time."},
         "Between looking at the sum and adding to it: who else may be looking? How much is pinned?"});
    expect_nothing_locked(result);
    result.expect_clean();
  }
  passed("threads do not meet in a block");
}

CHECK_CASE(fast_enough) {
  Run run("speed");
  run.say("16 MiB");
  const Result result = run.go();
  result.expect_clean();
  result.expect_bound("acquire");
}
