#include "timeline/html.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "timeline/page_text.h"
#include "timeline/rows.h"

namespace workbook::timeline {

namespace {

using nlohmann::json;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Texts of bars, each once.
class Texts {
 public:
  std::size_t index(const std::string& text) {
    const auto [entry, is_new] = places_.try_emplace(text, all_.size());
    if (is_new) all_.push_back(text);
    return entry->second;
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> all_;
};

json data_of(const Shown& run) {
  Texts texts;
  texts.index("");
  json rows = json::array();
  const std::int64_t origin = run.timeline->whole().begin;
  for (const Row& row : rows_of(*run.timeline)) {
    json lanes = json::array();
    for (const auto& lane : row.lanes) {
      json bars = json::array();
      for (const Bar& bar : lane) {
        bars.push_back(bar.when.begin - origin);
        bars.push_back(bar.when.length());
        bars.push_back(texts.index(bar.name));
        bars.push_back(static_cast<int>(bar.kind));
        bars.push_back(texts.index(bar.detail));
      }
      lanes.push_back(std::move(bars));
    }
    rows.push_back({{"label", row.label}, {"kind", row.kind}, {"lanes", std::move(lanes)}});
  }
  const Interval window = run.timeline->operations().empty() ? run.timeline->whole() : run.timeline->window();
  // What the program does before its first device operation is shown as far as it is short beside the rest.
  const std::int64_t lead = std::min(window.begin - origin, window.length() / 20);
  return {{"label", run.label},
          {"window", {window.begin - origin, window.end - origin}},
          {"start", window.begin - origin - lead},
          {"end", run.timeline->whole().end - origin},
          {"names", texts.all()},
          {"rows", std::move(rows)}};
}

// JSON inside <script>: no "</script>", whatever a kernel is called.
std::string embedded(const json& data) {
  const std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

// A figure and its % or unit stay on one line.
std::string paragraph(const std::string& kind, const std::string& text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool after_figure = i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9';
    const bool unit = text[i] == ' ' && after_figure && text.find_first_of("%mnus", i) == i + 1;
    kept += unit ? std::string("\u00a0") : std::string(1, text[i]);
  }
  return fmt::format("<p class=\"{}\">{}</p>\n", kind, escaped(kept));
}

std::string summary_of(const Shown& run) {
  const Summary& s = *run.summary;
  std::string out;
  if (!run.label.empty()) out += fmt::format("<h2>{}</h2>\n", escaped(run.label));
  out += paragraph("headline", s.headline);
  out += paragraph("figures", s.figures + (s.modelled ? fmt::format(". Modelled, {}.", s.device)
                                                      : fmt::format(". Measured, {}.", s.device)));
  if (!s.before.empty()) {
    std::string all;
    for (const std::string& part : s.before) all += (all.empty() ? "" : ", ") + part;
    out += paragraph("figures", "Before the first device operation: " + all + ".");
  }
  if (!s.advice.empty()) {
    out += "<div class=\"card\"><strong>Fix first</strong>\n";
    for (const std::string& advice : s.advice) out += "<p>" + escaped(advice) + "</p>\n";
    out += "</div>\n";
  }
  return out;
}

std::string chart(const Shown& run, std::size_t index) {
  const std::string name = run.label.empty() ? "Timeline" : "Timeline, " + run.label;
  return fmt::format(
      "{}<div class=\"chart\" id=\"chart{}\" tabindex=\"0\" role=\"application\" "
      "aria-label=\"{}. Arrow keys choose a bar; it is read out below.\"><svg "
      "aria-hidden=\"true\"></svg></div>\n",
      run.label.empty() ? "" : fmt::format("<h3>{}</h3>\n", escaped(run.label)), index, escaped(name));
}

std::string table(const std::string& caption, const std::string& head, const std::string& rows) {
  if (rows.empty()) return {};
  return fmt::format(
      "<h3>{}</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><table><thead>"
      "<tr>{}</tr></thead><tbody>\n{}</tbody></table></div>\n",
      escaped(caption), escaped(caption), head, rows);
}

std::string heads(std::initializer_list<const char*> names) {
  std::string out;
  bool first = true;
  for (const char* name : names) {
    out += fmt::format("<th scope=\"col\"{}>{}</th>", first ? "" : " class=\"n\"", name);
    first = false;
  }
  return out;
}

std::string tables_of(const Shown& run, std::size_t index) {
  const Summary& s = *run.summary;
  const std::int64_t origin = run.timeline->whole().begin;
  std::string out =
      fmt::format("<h2>{}</h2>\n", run.label.empty() ? "Figures" : escaped("Figures, " + run.label));
  std::string rows;
  for (const CauseShare& c : s.causes)
    rows += fmt::format(
        "<tr><td class=\"name\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td></tr>\n",
        escaped(name_of(c.cause) + (c.what.empty() ? "" : ": " + c.what)), c.gaps, time_words(c.time),
        percent(static_cast<double>(c.time) / static_cast<double>(s.window.length())));
  out += table("Why no kernel ran", heads({"cause", "gaps", "time", "of the whole"}), rows);
  rows.clear();
  for (const Gap& gap : s.longest)
    rows += fmt::format(
        "<tr><td class=\"name\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">"
        "<button data-run=\"{}\" data-begin=\"{}\" data-length=\"{}\">Show</button></td></tr>\n",
        escaped(name_of(gap.cause) + (gap.what.empty() ? "" : ": " + gap.what)),
        time_words(gap.when.length()), time_words(gap.when.begin - s.window.begin), index,
        gap.when.begin - origin, gap.when.length());
  out += table("The longest gaps", heads({"cause", "length", "at", "in the picture"}), rows);
  rows.clear();
  for (const KernelTotal& k : s.kernels)
    rows += fmt::format(
        "<tr><td class=\"name\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td></tr>\n",
        escaped(k.name), k.launches, time_words(k.time),
        time_words(k.time / static_cast<std::int64_t>(k.launches)));
  out += table("Kernels", heads({"kernel", "launches", "time", "mean"}), rows);
  rows.clear();
  for (const CopyTotal& c : s.copies)
    rows += fmt::format(
        "<tr><td class=\"name\">{}{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td></tr>\n",
        c.direction, c.pageable ? ", pageable" : "", c.copies, bytes_words(c.bytes), time_words(c.time));
  out += table("Copies", heads({"direction", "copies", "bytes", "time"}), rows);
  rows.clear();
  for (const RangeTotal& r : s.ranges)
    rows += fmt::format(
        "<tr><td class=\"name\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td></tr>\n",
        escaped(r.name), r.count, time_words(r.host), time_words(r.device));
  out += table("Ranges", heads({"range", "times", "on the host", "on the device"}), rows);
  return out;
}

std::string legend() {
  static constexpr std::pair<const char*, const char*> entries[] = {
      {"kernel", "kernel"},         {"copy", "copy"},         {"pageable", "copy of pageable memory"},
      {"memset", "memset"},         {"launch", "launch"},     {"wait", "wait"},
      {"memory", "allocate, free"}, {"call", "other call"},   {"range", "NVTX range"},
      {"gap-loader", "host busy"},  {"overhead", "first use"}};
  std::string out;
  for (const auto& [color, text] : entries)
    out += fmt::format(
        "<li><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><rect width=\"14\" height=\"14\" rx=\"2\" "
        "fill=\"var(--{})\"/></svg>{}</li>\n",
        color, text);
  return out;
}

// {{name}} in the page's frame becomes its text; what is put in is not looked at again.
std::string filled(std::string_view frame, const std::map<std::string, std::string>& parts) {
  std::string out;
  while (true) {
    const std::size_t open = frame.find("{{"), close = frame.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) return out.append(frame);
    out.append(frame.substr(0, open));
    out += parts.at(std::string(frame.substr(open + 2, close - open - 2)));
    frame.remove_prefix(close + 2);
  }
}

}  // namespace

std::string html_page(const std::string& title, const std::vector<Shown>& runs) {
  std::string summaries, charts, tables;
  json data = json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string summary = summary_of(runs[i]);
    summaries += runs.size() > 1 ? "<div>\n" + summary + "</div>\n" : summary;
    charts += chart(runs[i], i);
    tables += tables_of(runs[i], i);
    data.push_back(data_of(runs[i]));
  }
  if (runs.size() > 1) summaries = "<div class=\"cards\">\n" + summaries + "</div>\n";
  return filled(page_html, {{"title", escaped(title)},
                            {"style", std::string(page_css)},
                            {"summary", summaries},
                            {"charts", charts},
                            {"legend", legend()},
                            {"tables", tables},
                            {"footer",
                             "Drawn by CUDA Workbook. Busy is the union of the kernels' time over the time "
                             "from the first device operation to the last."},
                            {"data", embedded(data)},
                            {"script", std::string(page_js)}});
}

}  // namespace workbook::timeline
