#include "grader/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace workbook::grader {

namespace {

Color color_of(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::passed:
      return Color::green;
    case VerdictKind::inconclusive:
    case VerdictKind::not_run:
    case VerdictKind::not_started:
      return Color::yellow;
    default:
      return Color::red;
  }
}

// A time with three digits and the unit a person would choose.
std::string time_in_words(double us) {
  if (us >= 1e6) return fmt::format("{:.3g} s", us / 1e6);
  if (us >= 1e4) return fmt::format("{:.3g} ms", us / 1e3);
  if (us >= 100) return fmt::format("{:.0f} us", us);
  return fmt::format("{:.3g} us", us);
}

std::string on_what(const trace::Bound& b) {
  return fmt::format("{}, {}", b.modelled ? "modelled" : "measured", b.device);
}

std::string bars(const trace::Bound& b) {
  const double most = std::max({b.now_us, b.limit_us, b.reference_us});
  auto row = [&](const char* name, double us, const std::string& note) {
    const std::string left = fmt::format("  {:<6} {}", name, bar(us, most, 32));
    std::string line = spread(left, fmt::format("{:>9}", time_in_words(us)), 52);
    if (note.empty()) return line + "\n";
    if (width_of(line) + width_of(note) + 5 <= page_columns) return line + "   (" + note + ")\n";
    return line + "\n" + wrapped("(" + note + ")", page_columns, "         ", "         ") + "\n";
  };
  std::string out = row("time", b.now_us, "") + row("bound", b.limit_us, b.rule);
  if (b.reference_us > 0) out += row("ours", b.reference_us, "");
  out += "  " + on_what(b);
  if (b.noise > 0) out += fmt::format(", spread {:.0f} %", b.noise * 100);
  return out + "\n";
}

const trace::CaseResult* failed_case(const Verdict& v) {
  for (const auto& c : v.cases) {
    if (c.name == v.failed_case) return &c;
  }
  return nullptr;
}

std::string indented(const std::string& text) {
  std::string out;
  for (const auto& line : split_lines(text)) out += line.empty() ? "\n" : "  " + line + "\n";
  return out;
}

std::string places_of(const trace::Failure& failure, const PageOptions& options) {
  std::string out;
  for (std::size_t i = 0; i < failure.places.size() && i < 2; ++i) {
    const auto& place = failure.places[i];
    const std::string name = shown_path(place.file, options.root);
    out += place.line != 0 ? fmt::format("  {}:{}\n", name, place.line) : fmt::format("  {}\n", name);
    const std::string picture = excerpt(place, options.root, page_columns);
    out += picture;
    if (picture.empty() && !place.note.empty())
      out += wrapped(place.note, page_columns, "    ", "    ") + "\n";
  }
  return out;
}

std::string failure_page(const Verdict& v, const PageOptions& options) {
  std::string out;
  if (!v.asked.empty()) out += wrapped("Asked: " + v.asked, page_columns, "", "       ") + "\n\n";
  if (!v.failure) return out;
  const trace::Failure& failure = *v.failure;
  const trace::CaseResult* where = failed_case(v);
  if (v.kind == VerdictKind::too_slow) {  // what is right already comes before what is too slow
    for (const auto& c : v.cases) {
      if (c.outcome == trace::Outcome::passed && !c.passed_text.empty()) {
        std::string text = c.passed_text;
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        out += wrapped(text + ".", page_columns) + "\n";
      }
    }
  }
  out += colored(wrapped(failure.headline, page_columns), Color::bold, options.color) + "\n";
  if (where != nullptr) {
    for (const auto& b : where->bounds) {
      if (!b.met) out += "\n" + bars(b);
    }
  }
  if (!failure.evidence.empty() || !failure.places.empty()) out += "\n";
  for (const auto& line : failure.evidence) out += wrapped(line, page_columns, "  ", "  ") + "\n";
  out += places_of(failure, options);
  if (!v.compiler_text.empty()) out += "\n" + indented(v.compiler_text);
  if (where != nullptr && !where->learner_output.empty()) {
    auto lines = split_lines(where->learner_output);
    const bool more = lines.size() > 8;
    if (more) lines.resize(8);
    out += "\n  your program printed:\n";
    for (const auto& line : lines) out += "  │ " + line + "\n";
    if (more) out += "  │ ...\n";
  }
  return out;
}

std::string leads_on(const Verdict& v, const PageOptions& options) {
  const std::string hint = fmt::format("{} hint {}", options.command, v.exercise);
  const std::string question = v.failure ? v.failure->question : "";
  std::string out = "\n";
  if (!question.empty()) {
    const std::string text = wrapped(question, page_columns - 2, "  ", "  ");
    const std::size_t last = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    if (width_of(text.substr(last)) + width_of(hint) + 3 <= page_columns)
      return out + text.substr(0, last) + spread(text.substr(last), hint, page_columns) + "\n";
    out += text + "\n";
  }
  return out + spread("", hint, page_columns) + "\n";
}

std::string passed_page(const Verdict& v, const PageOptions& options) {
  std::string out, facts;
  for (const auto& c : v.cases) {
    if (!c.passed_text.empty()) facts += (facts.empty() ? "" : " · ") + c.passed_text;
  }
  if (!facts.empty()) out += wrapped(facts, page_columns, "  ", "  ") + "\n";
  for (const auto& c : v.cases) {
    for (const auto& b : c.bounds)
      out += wrapped(fmt::format("{} of {} allowed, {} ({})", time_in_words(b.now_us),
                                 time_in_words(b.limit_us), b.rule, on_what(b)),
                     page_columns, "  ", "  ") +
             "\n";
  }
  if (options.solved >= 0) {
    const std::string words = fmt::format("  {} of {} solved  ", options.solved, options.total);
    const std::string done = options.solved == 0 ? "" : bar(options.solved, options.total, 36);
    out += words + done + rule(36 - std::min<std::size_t>(36, width_of(done))) + "\n";
    out += fmt::format("  Look at one way to write it: {} solution {}\n", options.command, v.exercise);
    if (!options.next.empty())
      out += wrapped(fmt::format("Next: {} — open {}", options.next, options.next_file), page_columns, "  ",
                     "  ") +
             "\n";
    else if (options.solved == options.total)
      out += "  That was the last one. Well done.\n";
  }
  return out;
}

std::string our_fault(const Verdict& v, const PageOptions& options) {
  return wrapped("This is a bug in the workbook or a fault of this machine, not in your code.",
                 page_columns) +
         "\n\n" + indented(v.why) + "\n" +
         wrapped(fmt::format("Please report it, with your file and the output of: {0} doctor, and {0} check "
                             "{1} --verbose",
                             options.command, v.exercise),
                 page_columns, "  ", "  ") +
         "\n";
}

}  // namespace

std::string headline_of(const Verdict& v, bool color) {
  const std::string left = fmt::format("{:<4} {}", v.exercise, v.title);
  const std::string name = name_of(v.kind);
  const std::string line = spread(left, name, page_columns);
  return line.substr(0, line.size() - name.size()) + colored(name, color_of(v.kind), color);
}

std::string excerpt(const trace::Place& place, const fs::path& root, std::size_t columns) {
  const auto text = read_file(fs::path(place.file).is_absolute() ? fs::path(place.file) : root / place.file);
  if (!text || place.line == 0) return {};
  const auto lines = split_lines(*text);
  if (place.line > lines.size()) return {};
  std::string line = printable(lines[place.line - 1]);
  std::replace(line.begin(), line.end(), '\t', ' ');
  // Under what: from the column given to the end of that name or bracket, else the whole statement.
  std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  std::size_t end = std::min(line.find("//"), line.size());
  while (end > begin + 1 && line[end - 1] == ' ') --end;
  if (end <= begin) end = line.size();
  if (place.column > 0 && place.column <= line.size()) {
    begin = place.column - 1;
    end = begin + 1;
    auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    while (end < line.size() && is_name(line[end]) && is_name(line[begin])) ++end;
    for (int depth = 0; end < line.size() && (depth > 0 || line[end] == '['); ++end)
      depth += line[end] == '[' ? 1 : line[end] == ']' ? -1 : 0;
  }
  const std::string number = fmt::format("{:>5} │ ", place.line), margin = "      │ ";
  std::string out = number + line + "\n" + margin + std::string(width_of(line.substr(0, begin)), ' ');
  const std::string carets(width_of(line.substr(begin, end - begin)), '^');
  // Under the carets, a little in; far out on the right there would be room for one word a line.
  constexpr std::size_t enough = 30;
  std::string hang = margin + std::string(width_of(line.substr(0, begin)) + 2, ' ');
  if (width_of(hang) + enough > columns) hang = margin + "  ";
  if (place.note.empty()) return out + carets + "\n";
  if (width_of(margin) + width_of(line.substr(0, end)) + 1 + enough <= columns) {
    const std::string rest = margin + std::string(width_of(line.substr(0, end)) + 1, ' ');
    return wrapped(place.note, columns, out.substr(0, 0) + std::string(width_of(rest), ' '), rest)
               .replace(0, width_of(rest), out + carets + " ") +
           "\n";
  }
  return out + carets + "\n" + wrapped(place.note, columns, hang, hang) + "\n";
}

std::string render(const Verdict& v, const PageOptions& options) {
  std::string out = headline_of(v, options.color) + "\n" + rule(page_columns) + "\n";
  switch (v.kind) {
    case VerdictKind::passed:
      out += passed_page(v, options);
      break;
    case VerdictKind::grader_error:
      out += our_fault(v, options);
      break;
    case VerdictKind::not_run:
      for (const auto& c : v.cases) {
        if (c.outcome == trace::Outcome::passed && !c.passed_text.empty())
          out += wrapped(c.passed_text, page_columns, "  ", "  ") + "\n";
      }
      out += wrapped("Not run: " + v.why, page_columns, "  ", "  ") +
             "\n  This is neither a pass nor a failure.\n";
      if (!options.next.empty())
        out += wrapped(fmt::format("Next: {} — open {}", options.next, options.next_file), page_columns, "  ",
                       "  ") +
               "\n";
      break;
    case VerdictKind::inconclusive:
      out += wrapped("Nothing can be said this time: " + v.why, page_columns, "  ", "  ") + "\n" +
             fmt::format("  Try again, or take the simulated device: {} check {} --device simulated\n",
                         options.command, v.exercise);
      break;
    case VerdictKind::not_started:
      out +=
          wrapped(fmt::format("Your turn: open {} and look for TODO. What the check says of it now:", v.file),
                  page_columns) +
          "\n\n" + failure_page(v, options) + leads_on(v, options);
      break;
    default:
      out += failure_page(v, options) + leads_on(v, options);
  }
  if (options.verbose) {
    out += fmt::format("\nnvcc {:.2f} s{}, link {:.2f} s, check {:.2f} s; device {}{}, seed {}\n",
                       v.compile_seconds, v.compiled_from_cache ? " (from the cache)" : "", v.link_seconds,
                       v.run_seconds, v.device, v.profile.empty() ? "" : " " + v.profile, v.seed);
    if (!v.judge_output.empty()) out += "The judge's own output:\n" + indented(v.judge_output);
  }
  return out;
}

}  // namespace workbook::grader
