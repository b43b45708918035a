// 12.4: records as nvidia-smi prints them, with other columns, orders, units and drivers, read line by line;
// and where a benchmark may begin. On a GPU also a real record, of the moment in which it gets something to
// do.
#include <workbook/check.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace workbook;

EXERCISE("12.4",
         "Say of each line of nvidia-smi's record whether the GPU was idle, ramping, steady or throttled.")

namespace {

enum State { idle, ramp, steady, throttled };
constexpr const char* state_names[] = {"idle", "ramp", "steady", "throttled"};

struct Sample {
  int mhz = 0;  // of the SMs; 0: nobody knows
  unsigned long bits = 0;
  State state = idle;
};
using Record = std::vector<Sample>;

// How somebody asked for it.
struct Form {
  const char* words;
  std::vector<std::string> columns;  // by name
  bool units = true;
  const char* end = "\n";
};

const char* const sm = "clocks.current.sm [MHz]";
const char* const most = "clocks.max.sm [MHz]";
const char* const memory = "clocks.current.memory [MHz]";
const char* const reasons = "clocks_event_reasons.active";
const char* const old_reasons = "clocks_throttle_reasons.active";

const Form plain{"as in the lesson", {"timestamp", "pstate", sm, reasons}};

std::vector<Form> forms() {
  return {
      plain,
      {"with --format=csv,nounits", {"timestamp", "pstate", sm, reasons}, false},
      {"with the columns in another order", {reasons, sm, "timestamp"}},
      {"with the largest clock before the current one", {"timestamp", most, sm, memory, reasons}},
      {"with the current clock first, and the largest behind it", {sm, reasons, most, "power.draw [W]"}},
      {"of an older driver", {"timestamp", old_reasons, sm, "temperature.gpu"}},
      {"of an older driver, without units", {"index", "utilization.gpu [%]", memory, sm, old_reasons}, false},
      {"with the line ends of another system", {"timestamp", sm, reasons}, true, "\r\n"},
      {"with many columns",
       {"timestamp", "name", "pstate", "temperature.gpu", most, "clocks.max.memory [MHz]", memory,
        "clocks.current.graphics [MHz]", "power.draw [W]", "utilization.gpu [%]", reasons, sm}}};
}

std::string cell(const std::string& column, const Sample& s, std::size_t n, bool units) {
  const auto with = [&](const std::string& value, const char* unit) {
    return units ? value + " " + unit : value;
  };
  if (column == sm) return s.mhz == 0 ? "[N/A]" : with(std::to_string(s.mhz), "MHz");
  if (column == most || column == "clocks.max.memory [MHz]") return with("1980", "MHz");
  if (column == memory) return with("2619", "MHz");
  if (column == "clocks.current.graphics [MHz]") return with(std::to_string(s.mhz + 45), "MHz");
  if (column == reasons || column == old_reasons) return fmt::format("0x{:016X}", s.bits);
  if (column == "timestamp")
    return fmt::format("2026/11/30 20:11:{:02}.{:03}", n / 10 % 60, n % 10 * 100 + 13);
  if (column == "pstate") return s.bits == 1 ? "P8" : "P0";
  if (column == "name") return "NVIDIA H200";
  if (column == "temperature.gpu") return "41";
  if (column == "power.draw [W]") return with("413.20", "W");
  if (column == "utilization.gpu [%]") return with(s.bits == 1 ? "0" : "98", "%");
  return std::to_string(0);
}

std::string written(const Record& record, const Form& form) {
  std::string text;
  const auto line = [&](const auto& field) {
    for (std::size_t c = 0; c < form.columns.size(); ++c)
      text += (c == 0 ? "" : ", ") + field(form.columns[c]);
    text += form.end;
  };
  line([](const std::string& column) { return column; });
  for (std::size_t n = 0; n < record.size(); ++n)
    line([&](const std::string& column) { return cell(column, record[n], n, form.units); });
  return text;
}

std::string line_of(const std::string& text, std::size_t n) {
  std::size_t at = 0;
  for (; n > 0 && at != std::string::npos; --n) at = text.find('\n', at) + 1;
  std::string line = text.substr(at, text.find('\n', at) - at);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

void expect_states(const std::string& text, const std::vector<State>& expected, const std::string& say,
                   const char* code, const char* question) {
  const Result result = Run("read").say("{}", say).text("text", text).go();
  result.expect_clean("How many fields does a line have, and is the one that you take there?");
  const std::string states = result.text("states");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const int got = i < states.size() ? states[i] - '0' : -1;
    if (got == expected[i]) continue;
    std::vector<std::string> evidence = {line_of(text, 0)};
    for (std::size_t n = i > 0 ? i - 1 : 0; n <= i; ++n)
      evidence.push_back(fmt::format("{}   {}", line_of(text, n + 1), state_names[expected[n]]));
    const bool known = got >= 0 && got <= 3;
    result.fail({code,
                 fmt::format("Line {} is {}, expected {}.", i + 1, known ? state_names[got] : "missing",
                             state_names[expected[i]]),
                 evidence, question});
  }
  result.expect_that(states.size() == expected.size(),
                     {"lines",
                      fmt::format("There are {} states, and {} lines.", states.size(), expected.size()),
                      {line_of(text, 0)},
                      "What does the first line tell, and what an empty one?"});
}

std::vector<State> states_of(const Record& record) {
  std::vector<State> out;
  for (const Sample& s : record) out.push_back(s.state);
  return out;
}

// An H200 that gets work, and then too much of it.
Record whole_story() {
  return {{345, 0x1, idle},    {345, 0x1, idle},        {720, 0x0, ramp},       {1305, 0x0, ramp},
          {1845, 0x0, ramp},   {1980, 0x0, ramp},       {1980, 0x0, steady},    {1965, 0x0, steady},
          {1980, 0x0, steady}, {1755, 0x4, throttled},  {1740, 0x4, throttled}, {1980, 0x0, ramp},
          {1980, 0x0, steady}, {1410, 0x20, throttled}, {1980, 0x1, idle},      {345, 0x1, idle}};
}

struct Family {
  const char* code;
  const char* words;
  const char* question;
  Record record;
};

std::vector<Family> families() {
  return {
      {"idle",
       "a GPU with nothing to do",
       "Which bit says that it has nothing to do, and is that a complaint?",
       {{345, 0x1, idle}, {345, 0x1, idle}, {1980, 0x1, idle}, {1980, 0x1, idle}}},
      {"ramp",
       "a GPU that has just got work",
       "Where was the clock a line before, and what was the GPU then?",
       {{345, 0x1, idle}, {345, 0x0, ramp}, {900, 0x0, ramp}, {1500, 0x0, ramp}, {1980, 0x0, ramp}}},
      {"steady",
       "a clock that stays, at its largest or not",
       "Of what is 2 % the allowed difference?",
       {{1980, 0x0, ramp},
        {1980, 0x0, steady},
        {1950, 0x0, steady},
        {1980, 0x0, steady},
        {1905, 0x0, ramp},
        {1905, 0x0, steady}}},
      {"steady",
       "a clock below its largest that stays",
       "Does a steady clock have to be the largest?",
       {{1200, 0x0, ramp}, {1200, 0x0, steady}, {1215, 0x0, steady}, {1245, 0x0, ramp}, {1245, 0x0, steady}}},
      {"creeps",
       "a clock that creeps up by 1 % a line",
       "Which line do you compare with?",
       {{1500, 0x0, ramp},
        {1515, 0x0, steady},
        {1530, 0x0, steady},
        {1545, 0x0, steady},
        {1560, 0x0, steady}}}};
}

std::vector<Family> further_families() {
  return {{"throttled",
           "each reason that holds the clock down",
           "Which bits are in held_down, and how do you test for one?",
           {{1980, 0x0, ramp},
            {1700, 0x4, throttled},
            {1700, 0x8, throttled},
            {1700, 0x20, throttled},
            {1700, 0x40, throttled},
            {1700, 0x80, throttled},
            {990, 0xA8, throttled},
            {1980, 0x0, ramp}}},
          {"not_throttled",
           "reasons that hold nothing down",
           "Which of the bits stand for somebody's wish?",
           {{1755, 0x2, ramp},
            {1755, 0x2, steady},
            {1755, 0x10, steady},
            {1755, 0x100, steady},
            {1755, 0x102, steady}}},
          {"several_bits",
           "several bits at a time",
           "What if a bit that counts is set beside one that doesn't?",
           {{1980, 0x0, ramp},
            {1600, 0x6, throttled},
            {345, 0x5, throttled},
            {345, 0x3, idle},
            {1600, 0x24, throttled}}},
          {"after",
           "work after idling or throttling",
           "What was the line before, and does its clock say anything?",
           {{1980, 0x1, idle},
            {1980, 0x0, ramp},
            {1980, 0x0, steady},
            {1970, 0x4, throttled},
            {1980, 0x0, ramp},
            {1980, 0x0, steady}}},
          {"unknown",
           "clocks that nobody knows",
           "What does \"[N/A]\" become as a number, and is it a clock?",
           {{1980, 0x0, ramp},
            {0, 0x0, ramp},
            {0, 0x0, ramp},
            {1980, 0x0, ramp},
            {1980, 0x0, steady},
            {0, 0x4, throttled},
            {0, 0x1, idle}}},
          {"empty", "a record of no lines", "What is in a record besides its lines?", {}}};
}

// The workbook's own reading of a real record, whose columns it asked for.
std::vector<State> own_states(const std::string& text) {
  std::vector<State> states;
  double before = 0;
  for (std::size_t n = 1; !line_of(text, n).empty(); ++n) {
    const std::string line = line_of(text, n);
    const std::size_t second = line.find(',') + 1, third = line.find(',', second) + 1;
    const double mhz = std::atof(line.c_str() + second);
    const unsigned long bits = std::strtoul(line.c_str() + third, nullptr, 16);
    const bool near = mhz > 0 && before > 0 && mhz >= 0.98 * before && mhz <= 1.02 * before;
    states.push_back((bits & 0xEC) != 0 ? throttled : (bits & 1) != 0 ? idle : near ? steady : ramp);
    before = states.back() == ramp || states.back() == steady ? mhz : 0;
  }
  return states;
}

}  // namespace

CHECK_CASE(line_by_line) {
  int count = 0;
  for (const auto& some : {families(), further_families()}) {
    for (const Family& f : some) {
      expect_states(written(f.record, plain), states_of(f.record), f.words, f.code, f.question);
      ++count;
    }
  }
  passed("right for {} kinds of records", count);
}

CHECK_CASE(however_it_was_asked_for) {
  const Record record = whole_story();
  for (const Form& form : forms())
    expect_states(written(record, form), states_of(record), fmt::format("a record {}", form.words), "form",
                  "Which column has which name, and where does its number end?");
  passed("right for {} forms of the output", forms().size());
}

CHECK_CASE(where_a_benchmark_begins) {
  struct Row {
    const char* states;
    int at;
  };
  for (const Row& row : {Row{"0011222", 6},
                         {"222", 2},
                         {"2212221", 5},
                         {"001122", -1},
                         {"", -1},
                         {"0000", -1},
                         {"2232", -1},
                         {"22322222", 5},
                         {"12222222", 3}}) {
    std::string names;
    for (const char* s = row.states; *s != '\0'; ++s)
      names += std::string(names.empty() ? "" : " ") + state_names[*s - '0'];
    const Result result =
        Run("begin").say("{}", names.empty() ? "no lines" : names).text("states", row.states).go();
    result.expect_clean();
    result.expect_that(result.integer("at") == row.at,
                       {"begin",
                        fmt::format("begin_at is {}, expected {}.", result.integer("at"), row.at),
                        {"the first line has the index 0"},
                        "How many steady lines in a row stand before it?"});
  }
  passed("a benchmark begins behind three steady lines");
}

CHECK_CASE(a_real_ramp) {
  if (on_simulated_device()) not_run("needs a GPU: a record of its own clocks while it gets work");
  FILE* const pipe = ::popen(
      "timeout 3 nvidia-smi -i 0 --query-gpu=clocks.max.sm,clocks.sm,clocks_event_reasons.active "
      "--format=csv -lms 50 2>&1",
      "r");
  Run busy("busy");
  const Result worked = busy.value("ms", 1800).go();
  std::string text(1 << 18, '\0');
  text.resize(pipe != nullptr ? std::fread(text.data(), 1, text.size(), pipe) : 0);
  if (pipe != nullptr) ::pclose(pipe);
  worked.expect_clean();
  if (text.find("clocks") == std::string::npos) not_run("nvidia-smi can't be asked here");
  text.resize(text.rfind('\n') + 1);
  const std::vector<State> expected = own_states(text);
  expect_states(text, expected, "this GPU, while it gets work", "real",
                "Which column has which name, and where does its number end?");
  const auto count = [&](State s) { return std::count(expected.begin(), expected.end(), s); };
  passed("{} lines of this GPU: {} idle, {} ramp, {} steady, {} throttled", expected.size(), count(idle),
         count(ramp), count(steady), count(throttled));
}
