#include "workbook/schedules.h"

#include <fmt/format.h>

#include <set>

#include "workbook/questions.h"

namespace workbook {

std::string Schedule::words() const {
  switch (kind) {
    case Kind::early:
      return "every operation as early as CUDA allows";
    case Kind::late:
      return "every operation as late as CUDA allows";
    case Kind::first:
      return number == 0 ? "the default stream first, the others late"
                         : fmt::format("stream {} first, the others late", number);
    case Kind::by_lot:
      return fmt::format("order by lot {}", number);
    default:
      return {};
  }
}

std::vector<Schedule> schedules_for(const Trace& plain, int lots) {
  std::set<int> streams;
  for (const Step& step : plain.steps()) {
    if (step.kind == Step::Kind::copy || step.kind == Step::Kind::set || step.kind == Step::Kind::kernel)
      streams.insert(step.stream);
  }
  std::vector<Schedule> all{all_early(), all_late()};
  if (streams.size() < 2) return all;
  for (const int stream : streams) all.push_back(stream_first(stream));
  for (int lot = 1; lot <= lots; ++lot) all.push_back(by_lot(lot));
  return all;
}

}  // namespace workbook
