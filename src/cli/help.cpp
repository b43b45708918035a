// The help pages. Each is a page to read, not a table of flags.
#include <map>

#include "cli/commands.h"

namespace workbook::cli {

namespace {

constexpr const char* overview =
    R"(CUDA Workbook: learn CUDA C++ by writing kernels that are checked as you save.

You write real CUDA. nvcc compiles it. If this machine has a GPU it runs there;
if not, a simulated device executes every thread of it, says which one went
wrong at which line, and how long a GPU would have taken.

To begin
  {} start            makes your own copies in work/ and checks the first
  {}                  watches them: save a file, read what happened

While you work
  check [ID|FILE|3|all]     checks once: where you are, one, a chapter, all
  list                      the exercises, and where you are
  hint [ID]                 the next of three hints; none is the answer
  solution ID               one way to write it, once yours passes
  reset ID                  the starter again; what you had is kept

Beyond
  run FILE.cu|PROGRAM ...   any CUDA program of your own, on either device
  profile FILE.cu|ID ...    what it did, as a timeline, and what to fix first
  bench FILE.cu|PROGRAM     how long your own kernels take, and which is faster
  doctor                    what this machine has, and what follows
  update                    the workbook's new version; your work stays yours
  site                      the lessons as a book, in your browser
  verify [ID ...]           for authors: proves that the checks are right
  grade FOLDER              for teachers: a class's submissions; a push in CI
  handout FOLDER            for teachers: a repository to give to a class
  test [--quick]            for developers: every test of the project
  help COMMAND              more about one of them

Options, anywhere
  --device auto|gpu|simulated    where the code runs (auto takes a GPU if any)
  --profile h200@1               which device the simulated one imitates
  --seed N|random                inputs are drawn from it (1)
  --json                         for machines; see docs/cli-json.md
  --no-color, --verbose

The exit code is 0 for passed, 1 for not passed, 2 for a mistake in the call,
3 for a fault of ours or of the machine, 4 when nothing can be said.
)";

const std::map<std::string, const char*> pages = {
    {"watch", R"({} [ID]

Watches your files. Each save checks the exercise that the file belongs to, and
the screen shows the one thing to do next. It never moves on by itself: read,
think, then press n.

  n  the next exercise that is not solved
  h  a hint             l  the list             q  quit
)"},
    {"start", R"({} start

Sets everything up, makes your copies of the exercises in work/, and checks the
first one, which fails: that is where you begin. Call it as often as you like;
what is there stays there.
)"},
    {"update", R"({} update

Fetches the workbook's new version and brings its new starters into your files.
A starter you have not touched is renewed. In a file you have worked on, the new
starter is merged with your lines, and your version is kept in work/.backup.
Where both changed the same lines, your file stays as it is and the attempt lies
beside it as NAME.cu.new.
)"},
    {"check", R"({0} check [ID|FILE|CHAPTER|all]

Checks once and says what happened. Without a name: the exercise you are at.

  {0} check 2.1
  {0} check 2.1 --device simulated --seed 7
  {0} check 3                  chapter 3, one line for each
  {0} check all                every exercise
  {0} check solutions/02_grids_blocks_threads/01_one_thread_per_element.cu

A verdict is passed, wrong, too slow, did not compile, crashed, timed out or
not started. Two more are nobody's fault: inconclusive (the machine was too
noisy to measure) and not run (it needs what this machine lacks). "grader error"
is ours.
)"},
    {"list", R"({} list

All exercises by chapter; an arrow stands at the one you are at.
)"},
    {"hint", R"({} hint [ID] [--all]

The next hint for an exercise. There are three, in rising strength, and none of
them is the answer. --all shows all at once.
)"},
    {"solution", R"({} solution ID [--force]

One way to write it. It shows itself once yours has passed; --force shows it
before that.
)"},
    {"reset", R"({} reset ID

Puts the starter back. What you had goes to work/.backup first.
)"},
    {"doctor", R"({} doctor

What this machine has, what will run here, what will not, and why. Send its
output along when you report something.
)"},
    {"verify", R"({} verify [ID|CHAPTER ...] [--jobs N]

For authors. Proves that the checks are right: every starter fails its first
check, every solution passes and needs at most 0.8 of each time bound, every
wrong answer in tests/exercises gets its verdict, its code and its words, and
every honest alternative passes. --json prints one object.
)"},
    {"run", R"({0} run FILE.cu|PROGRAM [ARGUMENTS ...]

Runs any CUDA program of yours on the chosen device. A .cu file is built first,
the way the exercises are.

  {0} run hello.cu
  {0} run --device simulated ./my_program 1000

Options of the workbook come before the file; what follows belongs to your
program. A program built elsewhere must use the shared runtime
(nvcc -cudart shared): nvcc's default puts NVIDIA's runtime inside the program,
where nothing can take its place.
)"},
    {"profile", R"({0} profile [OPTIONS] FILE.cu|PROGRAM|ID [ARGUMENTS ...]

Runs a program and shows what it did: when kernels ran, when none did and why,
and what to fix first. A .cu file is built first; an exercise is your own copy,
run by its check. NVTX ranges in the program get a row, and their GPU time.

  {0} profile train.cu
  {0} profile --html page.html train.cu     one file, to look at in a browser
  {0} profile --json trace.json train.cu    for ui.perfetto.dev
  {0} profile --trace slow.jsonl train.cu   keeps the record itself
  {0} profile --before slow.jsonl --html both.html train.cu
  {0} profile --counters - train.cu         each kernel's counters, by Nsight
                                            Compute's names; or into a file, as JSON

--before compares with a kept record. A record can be shown again:
{0} profile slow.jsonl. Options come before the program; what follows belongs
to it. Its exit code becomes ours.
)"},
    {"bench", R"({0} bench [OPTIONS] FILE.cu|PROGRAM [-- ARGUMENTS ...]

Times kernels of your own, with the method of chapter 13. In the file:

  #include <workbook/bench.h>
  WORKBOOK_BENCH(scale) {
    const int n = bench.parameter("n", {1 << 20, 1 << 26});
    float* d_x = bench.memory<float>(n);
    bench.bytes(8.0 * n);
    bench.run([=](cudaStream_t s) { scale<<<n / 256, 256, 0, s>>>(d_x, n); });
  }

A file or program without WORKBOOK_BENCH is run as a whole, from its start to its
end, again and again.

  {0} bench scale.cu
  {0} bench scale.cu --against old_scale.cu     faster or not, and how sure

  --against FILE2    takes samples of both in turn; benchmarks of the same name
                     (or the only one of each) are compared
  --cold, --hot      L2 emptied before each run (the default), or not; or both
  --only NAME        this benchmark alone
  --set n=4096       another value for a parameter; may stand several times
  --seconds S        for the samples of one benchmark (0.5)
  --trials N         repeats the whole comparison and counts the verdicts: with
                     FILE against itself, how far this machine can be trusted
  --at-most R        for CI: exit code 1 when FILE surely takes more than R of
                     FILE2's time
  --json             one object; see docs/cli-json.md

It warms up until the times settle, says how noisy they were, whether the clocks
were held down, and how near the roof of this machine a kernel comes. On the
simulated device times are modelled, and exact. More: docs/bench.md
)"},
    {"grade", R"({0} grade [OPTIONS] FOLDER

Grades one submission, or each folder in FOLDER as one. Of a submission only the
learner files are taken (work/NN_topic/NN_name.cu, or NN_topic/NN_name.cu).
Interrupted, the same command goes on where it stopped.

  --out DIR                 where results go (grades/)
  --format NAME,...         junit, gradescope, classroom50, github-classroom,
                            prairielearn, autolab, csv, csv-wide
  --only ID,...             these exercises alone
  --one, --class            FOLDER is one submission, or a class
  --seed-file FILE          inputs from a secret seed, and three hidden sizes
  --hidden-sizes N          so many sizes that nobody knows beforehand
  --run-seconds S           the longest that one call may take (60; a GPU: 20)
  --isolation KIND          auto, bubblewrap, user, limits, none
  --jobs N                  so many answers at a time (the number of cores)
  --from grades.json        other formats from a grading that is done

On a cluster:
  --engine slurm            one task for each submission
  --partition, --gres, --time, --throttle N, --sbatch OPTION

It runs on the simulated device unless --device says otherwise. The exit code of
one submission is that of a check; of a class it is 0 when all was graded. More:
docs/teachers.md
)"},
    {"handout", R"({0} handout FOLDER [--ci github|gitlab]

Makes a repository for a class: the workbook without solutions, wrong answers
and tests, with the learners' files in work/, which git tracks there. --ci adds
the file that checks each push.
)"},
    {"calibrate", R"({0} calibrate [ID ...] [--device gpu]

Measures solutions, right answers and slow answers on what is here, and says
whether each time bound lies well between them. For other hardware.
)"},
    {"site", R"({} site [--build] [--port N]

The lessons as a book: pictures to play with, search, an index of messages.
Builds it and shows it at http://localhost:8123/ until Ctrl-C; a change to a
lesson is built at once. --build only builds: the pages then lie in
.build/site/html, and index.html opens in any browser, without a server.

What builds it (MkDocs) is fetched once, into .toolchain/site. With Doxygen on
this machine the book has the API too.
)"},
    {"test", R"({} test [--quick]

For developers. Sets up, builds everything, runs every test of the project, and
ends with the line "N passed, N failed". --quick leaves out what takes long.
)"},
};

std::string with_name(std::string text, const std::string& name) {
  for (const std::string mark : {"{0}", "{}"}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + name.size()))
      text.replace(at, mark.size(), name);
  }
  return text;
}

}  // namespace

std::string help_page(const std::string& command, const std::string& called_as) {
  if (command.empty()) return with_name(overview, called_as);
  const auto found = pages.find(command);
  return found == pages.end() ? "" : with_name(found->second, called_as);
}

const std::vector<std::string>& command_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"help"};
    for (const auto& [name, text] : pages) all.push_back(name);
    return all;
  }();
  return names;
}

}  // namespace workbook::cli
