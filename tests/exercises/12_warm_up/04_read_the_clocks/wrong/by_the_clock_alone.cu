// wrong: a clock that stayed while the GPU idled is taken for steady
// verdict: wrong
// code: ramp
// message: expected ramp
// 12.4  Read the clocks
//
// nvidia-smi can tell, many times a second, how fast the GPU's clock is and why it isn't faster. Read what it prints, say
// of each line in which state the GPU was, and from which line on a benchmark may begin.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

enum class State {
  idle,       // it has nothing to do, and says so
  ramp,       // it works, and its clock isn't where it will stay; or nobody knows
  steady,     // it works, and its clock is where it was a line before
  throttled,  // something holds its clock down: power or heat
};

// The bits of the reasons for the clock, as nvidia-smi names them in its help.
constexpr unsigned long gpu_idle = 0x1, applications_clocks = 0x2, sw_power_cap = 0x4, hw_slowdown = 0x8, sync_boost = 0x10,
                        sw_thermal = 0x20, hw_thermal = 0x40, hw_power_brake = 0x80, display_clock = 0x100;
constexpr unsigned long held_down = sw_power_cap | hw_slowdown | sw_thermal | hw_thermal | hw_power_brake;

// The fields of a line, without the blanks around them.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out(1);
  for (const char c : line) {
    if (c == ',') out.emplace_back();
    else if (c != '\r' && (c != ' ' || !out.back().empty())) out.back() += c;
  }
  for (std::string& field : out) {
    while (!field.empty() && field.back() == ' ') field.pop_back();
  }
  return out;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// The states of all lines but the first, which has the names of the columns, in any order. These two count:
//   clocks.current.sm [MHz]      "1980 MHz", "1980", or "[N/A]" when nobody knows
//   clocks_event_reasons.active  (older drivers: clocks_throttle_reasons.active) "0x0000000000000004": bits, or "[N/A]"
// A line is throttled when one of the bits held_down is set; else idle, with the bit gpu_idle; else steady, when its clock
// differs by at most 2 % from that of the line before, and that one was ramp or steady; else it is ramp.
std::vector<State> read_clocks(const std::string& text) {
  const std::vector<std::string> all = lines(text);
  std::vector<State> states;
  if (all.empty()) return states;
  std::size_t clock_at = 0, reasons_at = 0;
  const std::vector<std::string> names = fields(all[0]);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].rfind("clocks.current.sm", 0) == 0) clock_at = i;
    if (names[i] == "clocks_event_reasons.active" || names[i] == "clocks_throttle_reasons.active") reasons_at = i;
  }
  double before = 0;  // the clock of the line before, when it can be compared with; else 0
  for (std::size_t n = 1; n < all.size(); ++n) {
    const std::vector<std::string> values = fields(all[n]);
    const double clock = clock_at < values.size() ? std::atof(values[clock_at].c_str()) : 0;
    const unsigned long bits = reasons_at < values.size() ? std::strtoul(values[reasons_at].c_str(), nullptr, 16) : 0;
    State state = State::ramp;
    if (bits & held_down) state = State::throttled;
    else if (bits & gpu_idle) state = State::idle;
    else if (clock > 0 && before > 0 && clock >= 0.98 * before && clock <= 1.02 * before) state = State::steady;
    states.push_back(state);
    before = clock;
  }
  return states;
}

// A benchmark waits for three steady lines in a row. The index of the third; -1 when there are none.
int begin_at(const std::vector<State>& states) {
  int in_a_row = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    in_a_row = states[i] == State::steady ? in_a_row + 1 : 0;
    if (in_a_row == 3) return static_cast<int>(i);
  }
  return -1;
}
