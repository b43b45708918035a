#include "grader/manifest.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace workbook::grader {

namespace {

// Reads the values of one table and knows where they stand.
class Reader {
 public:
  Reader(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {}

  template <class T>
  T need(const char* key) {
    const auto* node = get(key);
    if (node == nullptr) fail(table_.source(), fmt::format("'{}' is missing here", key));
    return value<T>(*node, key);
  }
  template <class T>
  T want(const char* key, T otherwise) {
    const auto* node = get(key);
    return node == nullptr ? otherwise : value<T>(*node, key);
  }
  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> out;
    const auto* node = get(key);
    if (node == nullptr) return out;
    if (!node->is_array()) fail(node->source(), fmt::format("'{}' must be a list of texts", key));
    for (const auto& element : *node->as_array()) out.push_back(value<std::string>(element, key));
    return out;
  }
  const toml::table* table(const char* key) {
    const auto* node = get(key);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) fail(node->source(), fmt::format("'{}' must be a table", key));
    return node->as_table();
  }
  // A key that nobody asked for is a typing mistake more often than not.
  void done() const {
    for (const auto& [key, node] : table_) {
      if (asked_.contains(std::string(key.str()))) continue;
      std::vector<std::string> known(asked_.begin(), asked_.end());
      const std::string close = nearest(std::string(key.str()), known);
      fail(node.source(), fmt::format("'{}' is no key of a manifest{}", key.str(),
                                      close.empty() ? "" : fmt::format("; did you mean '{}'?", close)));
    }
  }
  [[noreturn]] void fail(const toml::source_region& at, const std::string& what) const {
    throw ManifestError(fmt::format("{}:{}: {}", file_, at.begin.line, what));
  }
  const toml::source_region& here() const { return table_.source(); }

 private:
  const toml::node* get(const char* key) {
    asked_.insert(key);
    return table_.get(key);
  }
  template <class T>
  T value(const toml::node& node, const char* key) const {
    if constexpr (std::is_same_v<T, double>) {
      if (node.is_number()) return *node.value<double>();
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (node.is_string()) return *node.value<std::string>();
    } else {
      if (node.is<bool>() == std::is_same_v<T, bool>) {
        if (const auto v = node.value<T>()) return *v;
      }
    }
    constexpr const char* sort = std::is_same_v<T, std::string> ? "a text"
                                 : std::is_same_v<T, bool>      ? "true or false"
                                                                : "a number";
    fail(node.source(), fmt::format("'{}' must be {}", key, sort));
  }

  const toml::table& table_;
  std::string file_;
  std::set<std::string> asked_;
};

void read_bounds(const toml::table* bounds, const std::string& file, Exercise& exercise) {
  if (bounds == nullptr) return;
  for (const auto& [name, node] : *bounds) {
    if (!node.is_table())
      throw ManifestError(
          fmt::format("{}:{}: bound '{}' must be a table", file, node.source().begin.line, name.str()));
    Reader in(*node.as_table(), file);
    const BoundRule rule = base::bound_rule(std::string(name.str()), in);
    in.done();
    if (rule.at_most <= 0) in.fail(in.here(), "'at_most' must be more than 0");
    if (rule.naive != 0 && rule.naive <= rule.at_most)
      in.fail(in.here(), "'naive' must be more than 'at_most': it is the ratio that earns nothing for time");
    const bool of_an_answer = rule.naive_from == "starter" || rule.naive_from.starts_with("wrong/") ||
                              rule.naive_from.starts_with("right/");
    if (rule.naive != 0 && !of_an_answer && rule.naive_from != "baseline")
      in.fail(in.here(),
              "'naive' needs 'naive_from', which says what takes so long: \"starter\", \"wrong/NAME\", or "
              "\"baseline\"");
    if (rule.naive_from == "baseline" && rule.naive != 1)
      in.fail(in.here(), "the baseline takes 1.0 times as long as itself: naive = 1.0");
    exercise.bounds[rule.name] = rule;
  }
}

// A file that the manifest names lies in the chapter's folder.
void need_inside(Reader& in, const std::string& name) {
  if (name.find("..") != std::string::npos || name.starts_with('/'))
    in.fail(in.here(), fmt::format("'{}' must be a file in the chapter's folder", name));
}

void read_build(const toml::table* build, const std::string& file, Exercise& exercise) {
  if (build == nullptr) return;
  Reader in(*build, file);
  BuildRules& rules = exercise.build;
  rules.given = in.texts("given");
  rules.code = in.texts("code");
  rules.machine_code = in.want<bool>("machine_code", true);
  rules.architectures_from = in.want<std::string>("architectures_from", "");
  rules.ptxas_report = in.want<bool>("ptxas_report", false);
  in.done();
  for (const auto& name : rules.given) need_inside(in, name);
  for (const auto& name : rules.code) {
    if (!name.starts_with("sm_"))
      in.fail(in.here(), fmt::format("'code' names machine code, like sm_75; '{}' is none", name));
  }
  if (!rules.machine_code && (!rules.code.empty() || !rules.architectures_from.empty()))
    in.fail(in.here(),
            "'machine_code = false' leaves no machine code: 'code' and 'architectures_from' can't stand "
            "beside it");
  const auto& files = exercise.files;
  if (!rules.architectures_from.empty() &&
      std::find(files.begin(), files.end(), rules.architectures_from) == files.end())
    in.fail(in.here(), fmt::format("'{}' must be one of the exercise's 'files'", rules.architectures_from));
}

Exercise read_exercise(const toml::table& table, const std::string& file, const Chapter& chapter) {
  Reader in(table, file);
  Exercise exercise;
  exercise.chapter_folder = chapter.folder;
  exercise.id = in.need<std::string>("id");
  exercise.stem = in.need<std::string>("stem");
  exercise.title = in.need<std::string>("title");
  exercise.asked = in.need<std::string>("asked");
  exercise.files = in.texts("files");
  exercise.hints = in.texts("hints");
  exercise.needs = in.texts("needs");
  exercise.partly_needs = in.texts("partly_needs");
  exercise.points = in.want<int>("points", 10);
  exercise.right_share = in.want<double>("right_share", 0.5);
  exercise.optional = in.want<bool>("optional", false);
  exercise.time_limit_seconds = in.want<double>("time_limit", 300);
  read_bounds(in.table("bounds"), file, exercise);
  const toml::table* build = in.table("build");
  in.done();
  if (exercise.right_share < 0 || exercise.right_share > 1)
    in.fail(in.here(), "'right_share' must lie between 0 and 1");
  if (exercise.files.empty()) exercise.files = {exercise.stem + ".cu"};
  read_build(build, file, exercise);
  if (!exercise.id.starts_with(fmt::format("{}.", chapter.number)))
    in.fail(in.here(), fmt::format("exercise '{}' is not of chapter {}", exercise.id, chapter.number));
  for (const auto& name : exercise.files) need_inside(in, name);
  return exercise;
}

std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

Chapter load_chapter(const fs::path& manifest, const fs::path& root) {
  const std::string file = shown_path(manifest, root);
  const auto text = read_file(manifest);
  if (!text) throw ManifestError(fmt::format("{}: cannot be read", file));
  toml::table table;
  try {
    table = toml::parse(*text);
  } catch (const toml::parse_error& error) {
    throw ManifestError(fmt::format("{}:{}: {}", file, error.source().begin.line, error.description()));
  }
  Reader in(table, file);
  Chapter chapter;
  chapter.folder = manifest.parent_path().filename().string();
  chapter.manifest = manifest;
  chapter.number = in.need<int>("number");
  chapter.title = in.need<std::string>("title");
  in.want<std::string>("figure", "");
  const auto* list = table.get("exercise");
  if (list != nullptr) {
    if (!list->is_array()) in.fail(list->source(), "write [[exercise]], with two brackets");
    for (const auto& element : *list->as_array()) {
      if (!element.is_table()) in.fail(element.source(), "write [[exercise]], with two brackets");
      chapter.exercises.push_back(read_exercise(*element.as_table(), file, chapter));
    }
  }
  std::set<std::string> seen;
  for (const auto& exercise : chapter.exercises) {
    if (!seen.insert(exercise.id).second || !seen.insert(exercise.stem).second)
      throw ManifestError(fmt::format("{}: exercise '{}' stands there twice", file, exercise.id));
  }
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (name != "number" && name != "title" && name != "exercise" && name != "figure")
      in.fail(node.source(), fmt::format("'{}' is no key of a chapter", name));
  }
  return chapter;
}

std::vector<Chapter> load_chapters(const fs::path& root) {
  std::vector<Chapter> chapters;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "chapters", error)) {
    const fs::path manifest = entry.path() / "chapter.toml";
    if (fs::exists(manifest, error)) chapters.push_back(load_chapter(manifest, root));
  }
  if (chapters.empty())
    throw ManifestError(
        fmt::format("no chapter found under {}: is this folder whole?", (root / "chapters").string()));
  std::sort(chapters.begin(), chapters.end(),
            [](const Chapter& a, const Chapter& b) { return a.number < b.number; });
  return chapters;
}

std::vector<Exercise> all_exercises(const std::vector<Chapter>& chapters) {
  std::vector<Exercise> all;
  for (const auto& chapter : chapters)
    all.insert(all.end(), chapter.exercises.begin(), chapter.exercises.end());
  return all;
}

const Exercise* find_exercise(const std::vector<Exercise>& exercises, const std::string& name) {
  const fs::path path(name);
  const std::string file = path.filename().string(), stem = path.stem().string();
  const std::string folder = path.parent_path().filename().string();
  for (const auto& exercise : exercises) {
    if (name == exercise.id || name == exercise.stem || name == exercise.path()) return &exercise;
    if (!folder.empty() && folder != exercise.chapter_folder) continue;
    if (stem == exercise.stem ||
        std::find(exercise.files.begin(), exercise.files.end(), file) != exercise.files.end())
      return &exercise;
  }
  for (const auto& exercise : exercises) {
    const std::size_t bar = exercise.stem.find('_');
    if (bar != std::string::npos && name == exercise.stem.substr(bar + 1)) return &exercise;
  }
  return nullptr;
}

std::string nearest(const std::string& name, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const auto& candidate : known) {
    const std::size_t d = distance(name, candidate);
    if (d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace workbook::grader
