#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/bench.h"
#include "grader/text_layout.h"

namespace workbook::cli {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t columns = grader::page_columns;
constexpr double noisy = 0.05, drifting = 0.02;

std::string percent(double share) {
  const double p = 100 * share;
  return std::abs(p) < 9.95 ? fmt::format("{:.1f} %", p) : fmt::format("{:.0f} %", p);
}

std::string name_of(const ordered_json& row) {
  std::string text = row.value("name", "");
  if (row.contains("parameters")) {
    for (const auto& [name, value] : row["parameters"].items())
      text += fmt::format(" {}={}", name, value.get<long long>());
  }
  return text;
}

// Half of the interval, of the value: "0.4 %". "?" when there were too few samples.
std::string reach(const ordered_json& row, const char* low, const char* high, double middle) {
  if (!row[low].is_number() || !row[high].is_number()) return "?";
  return percent((row[high].get<double>() - row[low].get<double>()) / 2 / middle);
}

std::string rate_words(const ordered_json& row) {
  if (row.contains("gigabytes_per_second"))
    return fmt::format("{:.4g} GB/s, {} of the roof", row["gigabytes_per_second"].get<double>(),
                       percent(row["share_of_memory_roof"]));
  return "";
}

std::string flops_words(const ordered_json& row) {
  if (!row.contains("gigaflops")) return "";
  return fmt::format("{:.3g} teraflop/s, {} of the roof", row["gigaflops"].get<double>() * 1e-3,
                     percent(row["share_of_compute_roof"]));
}

// "ERROR: ..." or "not run: ..." instead of figures.
bool put_trouble(std::string& page, const ordered_json& row) {
  for (const auto& [key, words] : {std::pair{"error", "failed"}, std::pair{"skipped", "not run"}}) {
    if (!row.contains(key)) continue;
    page += fmt::format("  {}\n", name_of(row));
    page +=
        grader::wrapped(fmt::format("{}: {}", words, row[key].get<std::string>()), columns, "    ", "    ") +
        "\n";
    return true;
  }
  return false;
}

void put_benchmark(std::string& page, const ordered_json& row, bool modelled) {
  if (put_trouble(page, row)) return;
  std::string name = name_of(row);
  if (row.contains("cache")) name += ", " + row["cache"].get<std::string>();
  if (name.size() > 37) {
    page += fmt::format("  {}\n", name);
    name.clear();
  }
  const double us = row["us"];
  page += fmt::format("  {:38}{:>11}", name, time_words(us));
  if (!modelled)
    page += fmt::format("{:>12}{:>13}", reach(row, "low_us", "high_us", us), percent(row["noise"]));
  page += "\n";
  for (const std::string& words : {rate_words(row), flops_words(row)}) {
    if (!words.empty()) page += fmt::format("    {}\n", words);
  }
}

std::string bounds_words(const ordered_json& row) {
  if (!row["low"].is_number()) return "too few pairs to say more";
  return fmt::format("{:.3f} to {:.3f}", row["low"].get<double>(), row["high"].get<double>());
}

void put_trials(std::string& page, const ordered_json& row) {
  page +=
      fmt::format("    {} comparisons: no difference {}, faster {}, slower {}\n", row["trials"].get<int>(),
                  row["no_difference"].get<int>(), row["faster"].get<int>(), row["slower"].get<int>());
  page += fmt::format("    ratios from {:.4f} to {:.4f}, their median {:.4f}\n",
                      row["lowest_ratio"].get<double>(), row["highest_ratio"].get<double>(),
                      row["ratio"].get<double>());
}

void put_comparison(std::string& page, const ordered_json& row, bool modelled) {
  if (put_trouble(page, row)) return;
  page += fmt::format("  {}{}\n", name_of(row),
                      row.contains("cache") ? ", " + row["cache"].get<std::string>() : "");
  if (row.contains("trials")) return put_trials(page, row);
  const double ratio = row["ratio"];
  page += fmt::format("    {} against {}: {:.3f} of the time\n", time_words(row["us"]),
                      time_words(row["against_us"]), ratio);
  const std::string verdict = row["verdict"];
  const double told_from = row.value("told_from", 0.005);
  const std::string words =
      verdict == "faster"   ? "Faster."
      : verdict == "slower" ? "Slower."
      : told_from > 0.005 ? fmt::format("No difference, as far as {} can be told apart.", percent(told_from))
                          : "No difference.";
  if (modelled)
    page += fmt::format("    {} (modelled, so exact)\n", words);
  else
    page +=
        fmt::format("    {} The ratio is {}, for 99 %, by {} pairs{}.\n", words, bounds_words(row),
                    row["pairs"].get<int>(),
                    row.contains("set_ups") ? fmt::format(" in {} set-ups", row["set_ups"].get<int>()) : "");
}

// What a reader has to know before they believe a row.
void put_doubts(std::string& notes, const ordered_json& row) {
  const auto say = [&](const std::string& text) {
    const std::string note =
        grader::wrapped(fmt::format("{}: {}", name_of(row), text), columns, "  ", "  ") + "\n";
    if (notes.find(note) == std::string::npos) notes += note;  // cold and hot alike
  };
  if (row.contains("warm_up") && !row["warm_up"]["settled"].get<bool>())
    say("its times never settled, in two seconds of warming up.");
  const double noise = std::max(row.value("noise", 0.0), row.value("against_noise", 0.0));
  if (noise > noisy)
    say(fmt::format("noisy: the middle half of the samples spans {} of the median.", percent(noise)));
  if (std::abs(row.value("drift", 0.0)) > drifting)
    say(fmt::format("the machine drifted by {} meanwhile{}.", percent(row["drift"]),
                    row.contains("ratio") ? "; the pairs don't mind" : ""));
  if (row.contains("host_us") && row["host_us"].get<double>() > row["us"].get<double>())
    say(fmt::format("the host needs {} to queue a run. In a loop the device waits for the host.",
                    time_words(row["host_us"])));
}

void put_machine(std::string& page, const ordered_json& found) {
  const auto say = [&](const std::string& text) {
    page += grader::wrapped(text, columns, "  ", "  ") + "\n";
  };
  if (found.contains("roof"))
    say(fmt::format("The roof of this machine{}: {:.0f} GB/s, {:.1f} teraflop/s.",
                    found.value("modelled", false) ? "" : ", measured now",
                    found["roof"]["gigabytes_per_second"].get<double>(),
                    found["roof"]["gigaflops"].get<double>() * 1e-3));
  if (found.value("modelled", false)) {
    say(fmt::format(
        "Modelled, {}: exact, and the same on every machine. A real GPU is noisier, and up to a quarter off.",
        found.value("profile", "")));
    return;
  }
  if (!found.contains("machine") || !found["machine"].value("clocks_seen", false)) return;
  const auto& machine = found["machine"];
  std::string reasons;
  for (const auto& reason : machine["throttled"])
    reasons += (reasons.empty() ? "" : ", ") + reason.get<std::string>();
  say(fmt::format("SM clock {} to {} MHz of {}; {}.", machine["lowest_mhz"].get<int>(),
                  machine["highest_mhz"].get<int>(), machine["most_mhz"].get<int>(),
                  reasons.empty() ? "never held down" : "held down by: " + reasons));
  if (machine["other_processes"].get<int>() > 0)
    say(fmt::format("{} other process{} this GPU at the same time.", machine["other_processes"].get<int>(),
                    machine["other_processes"].get<int>() == 1 ? " uses" : "es use"));
}

}  // namespace

std::string time_words(double us) {
  const auto digits = [](double value) {
    return value < 9.995   ? fmt::format("{:.2f}", value)
           : value < 99.95 ? fmt::format("{:.1f}", value)
                           : fmt::format("{:.0f}", value);
  };
  if (us < 999.5) return digits(us) + " us";
  if (us < 999.5e3) return digits(us * 1e-3) + " ms";
  return digits(us * 1e-6) + " s";
}

std::string bench_page(const ordered_json& found) {
  const std::string where =
      fmt::format("{}, {}", found.value("device_name", "device unknown"), found.value("date", ""));
  const std::string file = fs::path(found.value("file", "")).filename().string();
  std::string page =
      fmt::format("{}{:>{}}\n", file, where, columns > file.size() ? columns - file.size() : 0);
  if (found.contains("against")) page += fmt::format("against {}\n", found["against"].get<std::string>());
  for (std::size_t i = 0; i < columns; ++i) page += "─";
  page += "\n";
  if (found.contains("error"))
    return page + grader::wrapped(found["error"].get<std::string>(), columns, "  ", "  ") + "\n";
  std::string notes;
  if (found.contains("benchmarks")) {
    const bool modelled = found.value("modelled", false);
    page += fmt::format("  {:38}{:>11}{}\n", "", modelled ? "modelled" : "time",
                        modelled ? "" : "     sure to        noise");
    for (const auto& row : found["benchmarks"]) {
      put_benchmark(page, row, modelled);
      put_doubts(notes, row);
    }
    if (found["benchmarks"].empty()) page += "  There is no benchmark of that name.\n";
  } else if (found.contains("comparisons")) {
    for (const auto& row : found["comparisons"]) {
      put_comparison(page, row, found.value("modelled", false));
      put_doubts(notes, row);
    }
    if (found["comparisons"].empty()) page += "  There is no benchmark of that name.\n";
  }
  if (!notes.empty()) page += "\n" + notes;
  page += "\n";
  put_machine(page, found);
  return page;
}

}  // namespace workbook::cli
