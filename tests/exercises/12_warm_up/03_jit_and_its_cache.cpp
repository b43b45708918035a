// 12.3: the learner's four children are started, each in a process of its own, in a folder that the check has
// made. What each of them did say the folder, the records of the simulated device, and on a GPU the time.
// Then the learner's code says it: of these four, and of others that are made up.
#include <workbook/check.h>

#include <algorithm>

#include "children.h"

using namespace workbook;
using namespace warm_up;

EXERCISE("12.3",
         "Compiled at the start, stored, or found in the cache? Plan the experiment, and read its traces.")

namespace {

enum Start { machine_code, compiled, stored, cached };
constexpr const char* start_words[] = {"machine code", "compiled", "stored", "cached"};
const std::vector<std::string> known_variables = {
    "CUDA_CACHE_PATH",      "CUDA_CACHE_DISABLE", "CUDA_CACHE_MAXSIZE", "CUDA_FORCE_PTX_JIT",
    "CUDA_DISABLE_PTX_JIT", "CUDA_FORCE_JIT",     "CUDA_DISABLE_JIT"};

struct Evidence {
  bool machine_code = false;
  Variables variables;
  std::vector<std::string> before, after, records;
  double first_us = 0, second_us = 0;
};

struct Planned {
  std::string name;
  Variables variables;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

std::vector<Planned> plan_in(const std::string& folder) {
  const Result result = Run("experiment").text("folder", folder).go();
  result.expect_clean();
  std::vector<Planned> plan;
  for (const auto& [name, value] : parse_variables(result.text("children"))) {
    if (name.empty() || name[0] != '\t')
      plan.push_back({name, {}});
    else if (!plan.empty())
      plan.back().variables.emplace_back(name.substr(1), value);
  }
  return plan;
}

// The files of the cache, without its list of them.
std::vector<std::string> entries(const Scratch& folder) {
  std::vector<std::string> out;
  for (const auto& file : folder.files()) {
    if (file.name.size() < 5 || file.name.substr(file.name.size() - 5) != "index") out.push_back(file.name);
  }
  return out;
}

// One child, and what is known of it.
Evidence observed(const Planned& child, const Scratch& folder) {
  Evidence e;
  e.variables = child.variables;
  e.before = entries(folder);
  Run run("child");
  run.say("the child {}", child.name)
      .inout("x", std::vector<float>(32, 0.25f))
      .may_write(folder)
      .fresh_process();
  for (const auto& [name, value] : child.variables) run.environment(name, value);
  run.environment("CUDA_MODULE_LOADING", "LAZY").time_limit(60);
  const Result result = run.go();
  if (const std::string status = result.text("status"); status != "cudaSuccess")
    result.fail({"does_not_run",
                 fmt::format("The child {} can't launch its kernel: {}.", child.name, status),
                 {fmt::format("its parent set: {}", words(child.variables))},
                 "Which of these variables forbids what every child of this program needs?"});
  result.expect_clean();
  e.after = entries(folder);
  e.first_us = result.number("first_us");
  e.second_us = result.number("second_us");
  for (const FirstUse& use : result.trace().first_uses("jit")) {
    const bool from = use.text.find("from the cache") != std::string::npos;
    const bool to = use.text.find("to the cache") != std::string::npos;
    e.records.push_back(from ? "load" : to ? "store" : "compile");
  }
  return e;
}

bool has(const std::vector<std::string>& list, const std::string& what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

bool new_file(const Evidence& e) {
  return std::any_of(e.after.begin(), e.after.end(), [&](const std::string& f) { return !has(e.before, f); });
}

// What it was. On a GPU nobody watches: the folder tells a store, and the time of this one program tells a
// compiler.
Start truth(const Evidence& e, double cold_us) {
  if (!e.records.empty())
    return has(e.records, "load") ? cached : has(e.records, "store") ? stored : compiled;
  if (new_file(e)) return stored;
  return e.first_us > 0.3 * cold_us ? compiled : cached;
}

struct Observed {
  Planned child;
  Evidence evidence;
  Start start;
};

std::vector<std::string> table(const std::vector<Observed>& all) {
  std::vector<std::string> lines;
  for (const Observed& o : all) {
    Variables shown = o.child.variables;
    for (auto& [name, value] : shown) {
      if (name == "CUDA_CACHE_PATH") value = "(folder)";
    }
    lines.push_back(fmt::format("{:<9} {:<9} first launch {:>9.1f} ms   {}", o.child.name,
                                start_words[o.start], o.evidence.first_us / 1000, words(shown)));
  }
  return lines;
}

const char* question_for(const std::string& name) {
  if (name == "cold") return "What has to be switched on, and where, so that what is compiled is kept?";
  if (name == "cached") return "Where did the first child leave its code, and does this one look there?";
  if (name == "no_cache") return "Which variable switches the cache off, and with which value?";
  return "Which variable makes the driver compile, whatever it has?";
}

void expect_names(const std::vector<Planned>& plan) {
  for (const char* name : {"cold", "cached", "no_cache", "forced"}) {
    const auto times =
        std::count_if(plan.begin(), plan.end(), [&](const Planned& p) { return p.name == name; });
    if (times == 1 && plan.size() == 4) continue;
    fail({"children",
          fmt::format("There are {} children in your experiment, and {} is there {} time{}.", plan.size(),
                      name, times, times == 1 ? "" : "s"),
          {},
          "Which four does the comment ask for?"});
  }
}

// The folder has another name each time; what the check says has not.
std::string without_its_name(std::string text, const std::string& folder) {
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
    text.replace(at, folder.size(), "(folder)");
  return text;
}

// Nothing may come in from another experiment, and nothing may get out.
void expect_inside(const Planned& child, const std::string& folder) {
  const std::string path = value_of(child.variables, "CUDA_CACHE_PATH");
  const bool off = value_of(child.variables, "CUDA_CACHE_DISABLE") == "1";
  const bool inside = path == folder || path == folder + "/" || path.rfind(folder + "/", 0) == 0;
  if ((inside && path.find("..") == std::string::npos) || (off && path.empty())) return;
  fail({"shared_cache",
        path.empty()
            ? fmt::format("The child {} uses the cache that all programs of this user share.", child.name)
            : fmt::format("The child {} has its cache in {}.", child.name,
                          without_its_name(path, folder).substr(0, 80)),
        {"this experiment's folder is a new one, the argument `folder` names it",
         fmt::format("its parent set: {}", without_its_name(words(child.variables), folder))},
        "What would this child find on the second day, when somebody has done the experiment before?"});
}

std::vector<Observed> carry_out(const Scratch& folder) {
  const std::vector<Planned> plan = plan_in(folder.path());
  expect_names(plan);
  for (const Planned& child : plan) {
    expect_known(child.variables, known_variables);
    expect_inside(child, folder.path());
  }
  std::vector<Observed> all;
  double longest = 0;
  for (const Planned& child : plan) {
    all.push_back({child, observed(child, folder), compiled});
    longest = std::max(longest, all.back().evidence.first_us);
  }
  for (Observed& o : all) o.start = truth(o.evidence, longest);
  return all;
}

void expect_planned(const std::vector<Observed>& all) {
  for (const auto& [name, start] :
       {std::pair{"cold", stored}, {"cached", cached}, {"no_cache", compiled}, {"forced", compiled}}) {
    for (const Observed& o : all) {
      if (o.child.name != name) continue;
      // Forced, a driver may write what it made once more; that it did make it is what counts.
      const bool right = o.start == start || (std::string(name) == "forced" && o.start == stored);
      expect_that(right, {std::string("not_") + name,
                          fmt::format("The child {} was {}, expected {}.", name, start_words[o.start],
                                      start_words[start]),
                          table(all), question_for(name)});
      const bool hidden =
          std::string(name) == "forced" && value_of(o.child.variables, "CUDA_CACHE_DISABLE") == "1";
      expect_that(!hidden, {"forced_without_cache", "The child forced has no cache that it could ignore.",
                            table(all), "What shall this child show that no_cache does not show?"});
    }
  }
}

Start said(const Evidence& e, const std::string& say) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : e.variables) variables.push_back(name + "=" + value);
  Run run("started");
  run.say("{}", say).value("machine_code", e.machine_code ? 1 : 0).text("variables", joined(variables));
  run.text("before", joined(e.before)).text("after", joined(e.after)).text("records", joined(e.records));
  const Result result = run.value("first_us", e.first_us).value("second_us", e.second_us).go();
  result.expect_clean();
  return static_cast<Start>(result.integer("start"));
}

void expect_said(const Evidence& e, Start expected, const std::string& say, const char* code,
                 const char* question) {
  const Start start = said(e, say);
  if (start == expected) return;
  const bool known = start >= machine_code && start <= cached;
  fail({code,
        fmt::format("{}: how_it_started says {}, and it was {}.", say,
                    known ? start_words[start] : "something else", start_words[expected]),
        {fmt::format("variables: {}", words(e.variables)),
         fmt::format("files in the cache: {} before, {} after{}", e.before.size(), e.after.size(),
                     new_file(e) ? ", of them one that is new" : ""),
         fmt::format("records: {}", e.records.empty() ? "none, nobody watched"
                                                      : fmt::format("{}", fmt::join(e.records, ", "))),
         fmt::format("first launch {:.1f} ms, second {:.3f} ms; machine code for this GPU: {}",
                     e.first_us / 1000, e.second_us / 1000, e.machine_code ? "yes" : "no")},
        question});
}

struct Story {
  const char* words;
  const char* code;
  const char* question;
  Start start;
  Evidence evidence;
};

using Pair = std::pair<std::string, std::string>;
const Pair path{"CUDA_CACHE_PATH", "/cache"}, off{"CUDA_CACHE_DISABLE", "1"}, on{"CUDA_CACHE_DISABLE", "0"};
const Pair forced{"CUDA_FORCE_PTX_JIT", "1"}, unforced{"CUDA_FORCE_PTX_JIT", "0"};
const std::vector<std::string> none, a = {"3/f/a07c"}, ab = {"3/f/a07c", "9/1/b552"}, b = {"9/1/b552"};
constexpr double quick = 3'000, small = 9'000, slow = 1'700'000, again = 30;  // microseconds

std::vector<Story> stories_of_the_folder() {
  const char* const by_time =
      "What takes how long depends on the program and on the machine. Which other trace is there?";
  const char* const files = "What is new in the folder, and what was there before?";
  const char* const nothing = "What was there to be found, and what is there now?";
  return {{"text, an empty cache", "files", files, stored, {false, {path}, none, a, {}, slow, again}},
          {"text, a cache that has it", "files", files, cached, {false, {path}, a, a, {}, quick, again}},
          {"text, a cache full of other programs",
           "files",
           files,
           stored,
           {false, {path}, a, ab, {}, slow, again}},
          {"a program so small that it compiles in 9 ms",
           "by_time",
           by_time,
           stored,
           {false, {path}, a, ab, {}, small, again}},
          {"a large program from a slow disk",
           "by_time",
           by_time,
           cached,
           {false, {path}, ab, ab, {}, 2 * slow, again}},
          {"an old entry went when a new one came",
           "files",
           files,
           stored,
           {false, {path}, a, b, {}, slow, again}},
          {"the folder can't be written",
           "not_stored",
           nothing,
           compiled,
           {false, {path}, none, none, {}, slow, again}}};
}

std::vector<Story> stories_of_the_variables() {
  const char* const off_is_off = "Can something be found in a cache that nobody reads?";
  const char* const which_off = "Which value of this variable switches the cache off?";
  const char* const which_forced = "Which value of this variable forces it?";
  const char* const looks = "Does a driver that is forced look for what it has?";
  const char* const takes = "Does a driver that is forced take machine code?";
  const char* const to_do = "Is there anything to compile?";
  return {{"the cache is off, and there is something in it",
           "cache_off",
           off_is_off,
           compiled,
           {false, {path, off}, a, a, {}, slow, again}},
          {"the cache is off, a small program",
           "cache_off",
           off_is_off,
           compiled,
           {false, {path, off}, ab, ab, {}, small, again}},
          {"CUDA_CACHE_DISABLE=0", "not_off", which_off, cached, {false, {path, on}, a, a, {}, quick, again}},
          {"forced, with a full cache",
           "forced",
           looks,
           compiled,
           {false, {path, forced}, a, a, {}, slow, again}},
          {"forced, and there is machine code",
           "forced",
           takes,
           compiled,
           {true, {path, forced}, a, a, {}, slow, again}},
          {"CUDA_FORCE_PTX_JIT=0, and there is machine code",
           "machine_code",
           which_forced,
           machine_code,
           {true, {path, unforced}, a, a, {}, 500, again}},
          {"machine code, a full cache",
           "machine_code",
           to_do,
           machine_code,
           {true, {path}, ab, ab, {}, 500, again}},
          {"machine code, a slow start",
           "machine_code",
           to_do,
           machine_code,
           {true, {}, none, none, {}, slow, again}}};
}

std::vector<Story> stories_of_records() {
  const char* const watched = "Who knows better than somebody who watched?";
  return {
      {"a profiler saw a load", "records", watched, cached, {false, {}, none, none, {"load"}, quick, again}},
      {"a profiler saw a compiler, and a store",
       "records",
       watched,
       stored,
       {false, {}, none, none, {"compile", "store"}, slow, again}},
      {"a profiler saw a compiler alone",
       "records",
       watched,
       compiled,
       {false, {path}, a, a, {"compile"}, slow, again}}};
}

}  // namespace

CHECK_CASE(the_experiment) {
  const Scratch folder;
  const std::vector<Observed> all = carry_out(folder);
  expect_planned(all);
  const auto first = [&](const char* name) {
    for (const Observed& o : all) {
      if (o.child.name == name) return o.evidence.first_us;
    }
    return 0.0;
  };
  const double cold = first("cold"), hit = first("cached");
  expect_that(hit <= 0.1 * cold, {"cached_is_slow",
                                  fmt::format("The cached child needs {:.1f} ms, the cold one {:.1f} ms.",
                                              hit / 1000, cold / 1000),
                                  table(all), question_for("cached")});
  for (const Observed& o : all) {
    Evidence e = o.evidence;
    Start expected = o.start;
    expect_said(e, expected, fmt::format("the child {}", o.child.name), "observed",
                "Which of the traces tells these four apart?");
    if (e.records.empty() || o.child.name == "forced") continue;
    e.records.clear();
    expect_said(e, expected, fmt::format("the child {}, when nobody watches", o.child.name), "observed",
                "Which traces are left when there are no records?");
  }
  passed("first launch: cold {:.0f} ms, cached {:.1f} ms, no_cache {:.0f} ms, forced {:.0f} ms", cold / 1000,
         hit / 1000, first("no_cache") / 1000, first("forced") / 1000);
}

CHECK_CASE(other_processes) {
  int count = 0;
  for (const auto& stories : {stories_of_the_folder(), stories_of_the_variables(), stories_of_records()}) {
    for (const Story& s : stories) {
      expect_said(s.evidence, s.start, s.words, s.code, s.question);
      ++count;
    }
  }
  passed("right for {} other processes", count);
}
