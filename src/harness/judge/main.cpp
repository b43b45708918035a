// main() of every judge.
#include <gtest/gtest.h>
#include <malloc.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include "harness/judge/cases.h"
#include "harness/judge/options.h"

extern char** environ;

namespace {

// GoogleTest takes every flag from the environment too; a variable left over there must not skip a case.
void forget_googletest_variables() {
  for (bool again = true; again;) {
    again = false;
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string name(*entry, std::string(*entry).find('='));
      if (name.rfind("GTEST_", 0) == 0 || name.rfind("TESTBRIDGE_", 0) == 0) {
        unsetenv(name.c_str());
        again = true;
        break;
      }
    }
  }
}

// Arrays of some MiB come and go all the time; giving their pages back and asking for them again costs more
// than everything that is done with them.
void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 16 << 20);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  forget_googletest_variables();
  keep_freed_memory();
  try {
    workbook::judge::parse_options(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    if (argc > 1) throw std::invalid_argument(std::string("unknown argument: ") + argv[1]);
    if (workbook::judge::options().runner.empty() && !testing::GTEST_FLAG(list_tests))
      throw std::invalid_argument("--runner PATH is missing: the program with the learner's code");
    return workbook::judge::run_all();
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 3;
  }
}
