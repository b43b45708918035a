#include "grader/state.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace workbook::grader {

namespace {
constexpr const char* schema = "workbook-state/1";
}

State::State(const fs::path& work) : path_(work / ".state.json") {
  const auto text = read_file(path_);
  if (!text) return;
  try {
    const auto in = nlohmann::json::parse(*text);
    if (in.at("schema") != schema) throw std::runtime_error("another version");
    solved_ = in.value("solved", solved_);
    hints_ = in.value("hints", hints_);
    current_ = in.value("current", "");
  } catch (const std::exception&) {
    fs::path aside = path_;
    aside += ".broken";
    std::error_code error;
    fs::rename(path_, aside, error);
    trouble_ = fmt::format(
        "The record of your progress could not be read; it is kept as {} and a new one begins. "
        "Your files are untouched: ./workbook check all finds again what is solved.",
        aside.filename().string());
  }
}

int State::hints_shown(const std::string& id) const {
  const auto found = hints_.find(id);
  return found == hints_.end() ? 0 : found->second;
}

void State::set_solved(const std::string& id, const std::string& device) {
  solved_[id] = device;
}
void State::set_hints_shown(const std::string& id, int count) {
  hints_[id] = count;
}
void State::set_current(const std::string& id) {
  current_ = id;
}

void State::merge_from_disk() {
  const auto text = read_file(path_);
  const auto in = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!in.is_object() || !in.contains("solved") || !in["solved"].is_object()) return;
  for (const auto& [id, device] : in["solved"].items()) {
    if (device.is_string()) solved_.emplace(id, device.get<std::string>());
  }
}

void State::save() {
  merge_from_disk();
  const nlohmann::json out = {
      {"schema", schema}, {"solved", solved_}, {"hints", hints_}, {"current", current_}};
  try {
    write_file(path_, out.dump(1) + "\n");
  } catch (const std::runtime_error& error) {
    trouble_ = fmt::format("Your progress could not be noted: {}", error.what());
  }
}

const Exercise* next_unsolved(const std::vector<Exercise>& exercises, const State& state,
                              const std::string& after) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    if (exercises[i].id == after) start = i + 1;
  }
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    const Exercise& e = exercises[(start + i) % exercises.size()];
    if (!state.solved(e.id) && !e.optional && e.id != after) return &e;
  }
  return nullptr;
}

const Exercise* current_exercise(const std::vector<Exercise>& exercises, const State& state) {
  if (!state.current().empty() && !state.solved(state.current())) {
    if (const Exercise* e = find_exercise(exercises, state.current())) return e;
  }
  return next_unsolved(exercises, state, "");
}

}  // namespace workbook::grader
