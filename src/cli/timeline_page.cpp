#include "cli/timeline_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "grader/page.h"
#include "grader/text_layout.h"

namespace workbook::cli {

using timeline::Interval;
using timeline::Intervals;
using timeline::Summary;
using timeline::time_words;
using timeline::Timeline;
using trace::Event;
using trace::EventKind;

namespace {

constexpr std::size_t columns = grader::page_columns, label_columns = 16;

// The window cut into equal cells, one a column.
class Cells {
 public:
  Cells(Interval window, std::size_t count) : window_(window), count_(count) {}
  std::size_t count() const { return count_; }
  Interval cell(std::size_t i) const { return {edge(i), std::max(edge(i + 1), edge(i) + 1)}; }
  // The column of a moment; `count` and more for one after the window.
  std::size_t column(std::int64_t t) const {
    if (t <= window_.begin) return 0;
    return static_cast<std::size_t>(static_cast<double>(t - window_.begin) * static_cast<double>(count_) /
                                    static_cast<double>(std::max<std::int64_t>(1, window_.length())));
  }

 private:
  std::int64_t edge(std::size_t i) const {
    return window_.begin + static_cast<std::int64_t>(static_cast<double>(window_.length()) *
                                                     static_cast<double>(i) / static_cast<double>(count_));
  }
  Interval window_;
  std::size_t count_;
};

// Wrapped, and the line ended.
std::string paragraph(const std::string& text, std::string_view first = "", std::string_view rest = "") {
  return grader::wrapped(text, columns, first, rest) + "\n";
}

std::string row(const std::string& label, const std::string& cells) {
  std::string name = label;
  if (grader::width_of(name) >= label_columns) name.resize(label_columns - 1);
  return grader::spread("  " + name, "", label_columns) + cells + "\n";
}

// How full each cell is, in eighths; a trace of something never looks empty.
std::string filled_cells(const Intervals& set, const Cells& cells) {
  static constexpr std::array<const char*, 9> heights{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string out;
  for (std::size_t i = 0; i < cells.count(); ++i) {
    const Interval cell = cells.cell(i);
    const auto time = timeline::covered(set, cell);
    const double share = static_cast<double>(time) / static_cast<double>(cell.length());
    const auto height = static_cast<std::size_t>(share * 8 + 0.5);
    out += heights[time > 0 ? std::clamp<std::size_t>(height, 1, 8) : 0];
  }
  return out;
}

// The letter of what takes most of each cell; blank where all of them together take less than a quarter.
std::string lettered_cells(const std::map<char, Intervals>& sets, const Cells& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.count(); ++i) {
    std::int64_t most = 0, all = 0;
    char letter = ' ';
    for (const auto& [name, set] : sets) {
      const std::int64_t time = timeline::covered(set, cells.cell(i));
      all += time;
      if (time <= most) continue;
      most = time;
      letter = name;
    }
    out += 4 * all >= cells.cell(i).length() ? letter : ' ';
  }
  return out;
}

char letter_of(timeline::Cause cause) {
  return "chaslf"[static_cast<std::size_t>(cause)];
}

std::string gap_row(const Timeline& timeline, const Cells& cells) {
  std::map<char, Intervals> by_cause;
  for (const auto& gap : timeline.gaps(timeline.window(), 1))
    by_cause[letter_of(gap.cause)].push_back(gap.when);
  if (by_cause.empty()) return {};
  return row("idle for", lettered_cells(by_cause, cells));
}

std::string host_rows(const Timeline& timeline, const Cells& cells) {
  std::map<int, std::map<char, Intervals>> threads;
  for (const Event* event : timeline.events()) {
    if (event->api.empty() || event->host_begin_ns < 0 || event->kind == EventKind::fault) continue;
    const char letter = event->kind == EventKind::kernel                                     ? 'l'
                        : event->kind == EventKind::copy || event->kind == EventKind::memset ? 'c'
                        : event->kind == EventKind::sync                                     ? 'w'
                                                                                             : 'a';
    threads[event->thread][letter].push_back({event->host_begin_ns, event->host_end_ns});
  }
  std::string out;
  for (auto& [thread, sets] : threads) {
    for (auto& [letter, set] : sets) set = timeline::unite(std::move(set));
    out += row(thread == 0 ? "host" : fmt::format("host thread {}", thread), lettered_cells(sets, cells));
  }
  return out;
}

// The nested ranges of one depth, with as much of their names as there is room for.
std::string range_row(const Timeline& timeline, const Cells& cells, int depth) {
  std::string out(cells.count(), ' ');
  bool any = false;
  for (const auto& range : timeline.ranges().ranges) {
    if (range.kind != timeline::Range::Kind::nested || range.depth != depth || range.thread != 0) continue;
    const std::size_t begin = cells.column(range.begin_ns);
    const std::size_t end = std::min(cells.count(), std::max(begin + 1, cells.column(range.end_ns)));
    if (begin >= cells.count() || range.end_ns < cells.cell(0).begin) continue;
    any = true;
    for (std::size_t i = begin; i < end; ++i) out[i] = '-';
    out[begin] = '|';
    for (std::size_t i = 0; i < range.name.size() && begin + 1 + i + 1 < end; ++i) {
      const char c = range.name[i];
      out[begin + 1 + i] = c >= ' ' && c < 127 ? c : '?';
    }
  }
  return any ? row(depth == 0 ? "NVTX" : "", out) : std::string();
}

std::string device_rows(const Timeline& timeline, const Cells& cells) {
  std::map<int, Intervals> streams;
  std::map<std::string, Intervals> directions;
  for (const Event* event : timeline.events()) {
    if (!timeline::is_operation(*event) || event->device_begin_ns < 0) continue;
    const Interval when{event->device_begin_ns, event->device_end_ns};
    streams[event->stream].push_back(when);
    if (event->kind == EventKind::copy) directions[timeline::direction_of(*event)].push_back(when);
  }
  std::string out;
  if (streams.size() > 1) {
    for (auto& [number, set] : streams)
      out += row(number == 0 ? "default stream" : fmt::format("stream {}", number),
                 filled_cells(timeline::unite(std::move(set)), cells));
  }
  static const std::map<std::string, std::string> short_names{{"host to device", "copies in"},
                                                              {"device to host", "copies out"},
                                                              {"device to device", "copies inside"}};
  for (auto& [direction, set] : directions) {
    const auto name = short_names.find(direction);
    out += row(name == short_names.end() ? direction : name->second,
               filled_cells(timeline::unite(std::move(set)), cells));
  }
  return out;
}

std::string scale(Interval window, std::size_t width) {
  std::string line(label_columns, ' ');
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string mark = i == 0 ? "0" : time_words(window.length() * static_cast<std::int64_t>(i) / 4);
    line.resize(label_columns + i * width / 4, ' ');
    line += mark;
  }
  const std::string end = time_words(window.length());
  if (line.size() + end.size() + 1 <= label_columns + width) {
    line.resize(label_columns + width - end.size(), ' ');
    line += end;
  }
  return line + "\n";
}

// --- the parts under the picture ---

std::string shortened(const std::string& name, std::size_t most) {
  return name.size() <= most ? name : name.substr(0, most - 3) + "...";
}

std::string longest_gaps(const Summary& s) {
  std::string out;
  for (const auto& gap : s.longest) {
    const std::string what = timeline::name_of(gap.cause) + (gap.what.empty() ? "" : ": " + gap.what);
    out += fmt::format("  {:>9} at {:>9}  {}\n", time_words(gap.when.length()),
                       time_words(gap.when.begin - s.window.begin), shortened(what, 48));
  }
  return out.empty() ? out : "\nThe longest times without a kernel\n" + out;
}

std::string totals(const Summary& s) {
  std::string out;
  constexpr std::size_t most_kernels = 5;
  for (std::size_t i = 0; i < std::min(most_kernels, s.kernels.size()); ++i) {
    const auto& k = s.kernels[i];
    out += fmt::format("  {:<40} {:>7} x {:>9}  {:>9}\n", shortened(k.name, 40), k.launches,
                       time_words(k.time / static_cast<std::int64_t>(k.launches)), time_words(k.time));
  }
  for (const auto& c : s.copies)
    out += fmt::format("  {:<40} {:>7} x {:>9}  {:>9}\n", c.direction + (c.pageable ? ", pageable" : ""),
                       c.copies, timeline::bytes_words(c.bytes / c.copies), time_words(c.time));
  return out.empty() ? out : "\nWhat the device did\n" + out;
}

std::string ranges(const Summary& s) {
  std::string out;
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(most, s.ranges.size()); ++i) {
    const auto& t = s.ranges[i];
    const std::string name = std::string(2 * static_cast<std::size_t>(std::min(t.depth, 6)), ' ') + t.name;
    out += fmt::format("  {:<32} {:>7} x  host {:>9}  device {:>9}\n", shortened(name, 32), t.count,
                       time_words(t.host), time_words(t.device));
  }
  return out.empty() ? out : "\nRanges\n" + out;
}

std::string before_words(const Summary& s) {
  std::string all;
  for (const auto& part : s.before) all += (all.empty() ? "" : ", ") + part;
  return all.empty() ? all : paragraph("Before the first of them: " + all + ".", "  ", "  ");
}

}  // namespace

std::string timeline_rows(const Timeline& timeline, std::size_t width) {
  const Cells cells(timeline.window(), width - label_columns);
  std::string out = scale(timeline.window(), cells.count());
  out += row("kernels", filled_cells(timeline.kernels(), cells));
  out += gap_row(timeline, cells);
  for (int depth = 0; depth < 3; ++depth) out += range_row(timeline, cells, depth);
  out += host_rows(timeline, cells);
  out += device_rows(timeline, cells);
  out +=
      "  idle for: c a copy, h the host, a a call, s a synchronise, l a launch,\n            f first use\n";
  out += "  host: l launches, c copies, w waits, a other calls, blank outside CUDA\n";
  return out;
}

std::string timeline_page(const Timeline& timeline, const Summary& s, const TimelinePage& page) {
  const std::string on = s.modelled ? fmt::format("modelled, {}", s.device) : s.device;
  std::string out = grader::spread(page.title, on, columns) + "\n" + grader::rule(columns) + "\n";
  out += grader::colored(grader::wrapped(s.headline, columns), grader::Color::bold, page.color) + "\n";
  if (s.window.length() == 0) return out;
  out += paragraph(s.figures + ".", "  ", "  ") + before_words(s) + "\n";
  out += timeline_rows(timeline, columns);
  out += longest_gaps(s);
  if (!s.advice.empty()) out += "\nFix first\n";
  for (const std::string& advice : s.advice) out += paragraph(advice, "  - ", "    ");
  return out + totals(s) + ranges(s);
}

std::string comparison(const Summary& before, const Summary& now) {
  const auto length = [](const Summary& s) {
    return static_cast<double>(std::max<std::int64_t>(1, s.window.length()));
  };
  const double ratio = length(before) / length(now);
  return paragraph(fmt::format("Before: {}, kernels {}. Now: {}, kernels {}: {:.2f} times as {}.",
                               time_words(before.window.length()), timeline::percent(before.busy),
                               time_words(now.window.length()), timeline::percent(now.busy),
                               ratio >= 1 ? ratio : 1 / ratio, ratio >= 1 ? "fast" : "slow"));
}

}  // namespace workbook::cli
