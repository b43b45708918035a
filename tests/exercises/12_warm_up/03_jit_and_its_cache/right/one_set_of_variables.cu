// right: the children share what is the same, in a folder below; the records are gone through in a loop
// 12.3  JIT and its cache
//
// A program that has only text (PTX) is compiled when it starts, or comes from the cache that the driver keeps on the
// disk. Plan an experiment that shows all of it, and say afterwards what happened in a process.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using Variables = std::vector<std::pair<std::string, std::string>>;  // {{"NAME", "VALUE"}}

struct Child {
  std::string name;
  Variables variables;  // that its parent sets
};

// Four child processes of a program that has text alone. The parent starts one after the other and names them:
//   cold      compiles, and its code is stored
//   cached    finds what cold stored
//   no_cache  compiles, and stores nothing
//   forced    compiles, although the cache has it and is not switched off
// `folder` is empty and belongs to this experiment alone: nothing from outside may get in, nothing gets out.
std::vector<Child> experiment(const std::string& folder) {
  const std::pair<std::string, std::string> cache{"CUDA_CACHE_PATH", folder + "/cache"};
  std::vector<Child> children;
  for (const char* name : {"cold", "cached", "no_cache", "forced"}) children.push_back({name, {cache}});
  children[2].variables.emplace_back("CUDA_CACHE_DISABLE", "1");
  children[3].variables.emplace_back("CUDA_FORCE_PTX_JIT", "1");
  return children;
}

// What is known of a process afterwards.
struct Evidence {
  bool machine_code;                   // the program has machine code for this GPU, besides its text (4.2)
  Variables variables;                 // of the process
  std::vector<std::string> before;     // the files in the cache's folder before the process, by name,
  std::vector<std::string> after;      // and after it
  std::vector<std::string> records;    // of a profiler: "compile", "load", "store"; empty when none was watching
  double first_us, second_us;          // the first launch, and the second
};

enum class Start {
  machine_code,  // there was nothing to compile
  compiled,      // compiled, and not stored
  stored,        // compiled and stored
  cached,        // found in the cache
};

bool holds(const std::vector<std::string>& list, const std::string& what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

// How the process came by its machine code. Records say it, where there are any. Else: machine code is taken as it is,
// unless CUDA_FORCE_PTX_JIT=1; a file that is new was stored; and without a new file it was either in the cache, or
// compiled and not stored. Nothing is found in a cache that is switched off, or empty, or never asked (forced).
Start how_it_started(const Evidence& e) {
  bool any_compiler = false;
  for (const std::string& record : e.records) {
    if (record == "load") return Start::cached;
    if (record == "store") return Start::stored;
    any_compiler = true;
  }
  if (any_compiler) return Start::compiled;
  const auto is_set = [&](const char* name) {
    return std::find(e.variables.begin(), e.variables.end(), std::make_pair(std::string(name), std::string("1"))) !=
           e.variables.end();
  };
  const bool forced = is_set("CUDA_FORCE_PTX_JIT");
  if (e.machine_code && !forced) return Start::machine_code;
  for (const std::string& file : e.after) {
    if (!holds(e.before, file)) return Start::stored;
  }
  if (forced || is_set("CUDA_CACHE_DISABLE") || e.before.empty()) return Start::compiled;
  return Start::cached;
}
