#include "harness/judge/bounds.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <sstream>
#include <stdexcept>
#include <utility>

namespace workbook::judge {

namespace {

toml::table parse(const std::string& path) {
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    const auto where = error.source().begin;
    throw std::runtime_error(
        fmt::format("{}:{}:{}: {}", path, where.line, where.column, error.description()));
  }
}

const toml::table* exercise_of(const toml::table& chapter, const std::string& id) {
  const toml::array* exercises = chapter["exercise"].as_array();
  if (exercises == nullptr) return nullptr;
  for (const auto& entry : *exercises) {
    const toml::table* exercise = entry.as_table();
    if (exercise != nullptr && (*exercise)["id"].value_or(std::string()) == id) return exercise;
  }
  return nullptr;
}

// The manifest has been read with care before (src/grader); here a value is there or it is not.
struct Values {
  const toml::table& table;
  template <class T>
  T want(const char* key, T otherwise) const {
    return table[key].value_or(std::move(otherwise));
  }
  template <class T>
  T need(const char* key) const {
    return want<T>(key, T{});
  }
};

}  // namespace

BoundRule read_bound(const std::string& path, const std::string& id, const std::string& name) {
  if (path.empty()) throw std::runtime_error("a time bound needs --chapter, the path of chapter.toml");
  const toml::table chapter = parse(path);
  const toml::table* exercise = exercise_of(chapter, id);
  if (exercise == nullptr)
    throw std::runtime_error(fmt::format("{}: no [[exercise]] with id = \"{}\"", path, id));
  const toml::table* bound = (*exercise)["bounds"][name].as_table();
  if (bound == nullptr)
    throw std::runtime_error(fmt::format("{}: exercise {} has no [exercise.bounds.\"{}\"]", path, id, name));
  Values values{*bound};
  BoundRule rule = base::bound_rule(name, values);
  if (rule.at_most <= 0)
    throw std::runtime_error(
        fmt::format("{}: [exercise.bounds.\"{}\"] needs at_most = a number above 0", path, name));
  if (rule.rule.empty()) rule.rule = fmt::format("{:.2f} x {}", rule.at_most, name);
  return rule;
}

}  // namespace workbook::judge
