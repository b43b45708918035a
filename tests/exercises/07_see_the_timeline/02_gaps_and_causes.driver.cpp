#include <workbook/driver.h>

#include <cstdint>
#include <vector>

// These stand in the learner's file too.
enum class What { kernel, copy, api, loader };
struct Event {
  What what;
  int device;
  long long begin, end;
};
enum class Cause { copy, loader, api, launch };
struct Gap {
  long long begin, end;
  Cause cause;
};
std::vector<Gap> find_gaps(const std::vector<Event>& events, int device, long long least);

// Many records in one call. Record r has the events first[r] .. first[r + 1] - 1, four numbers each: what,
// device, begin, end. Its gaps come back in as many places as it has events, three numbers each; a gap more
// than there are places is counted and not told.
WORKBOOK_DRIVER(find_gaps) {
  const auto* event = call.host_in<std::int64_t>("event");
  const auto* first = call.host_in<std::int64_t>("first");
  const auto* device = call.host_in<std::int64_t>("device");
  const auto* least = call.host_in<std::int64_t>("least");
  auto* count = call.host_out<std::int64_t>("count");
  auto* gap = call.host_out<std::int64_t>("gap");
  const std::size_t records = call.count("count");
  call.learner([&] {
    for (std::size_t r = 0; r < records; ++r) {
      std::vector<Event> events;
      for (std::int64_t e = first[r]; e < first[r + 1]; ++e) {
        const std::int64_t* x = event + 4 * e;
        events.push_back({static_cast<What>(x[0]), static_cast<int>(x[1]), x[2], x[3]});
      }
      const std::vector<Gap> gaps = find_gaps(events, static_cast<int>(device[r]), least[r]);
      count[r] = static_cast<std::int64_t>(gaps.size());
      for (std::size_t g = 0; g < gaps.size() && g < events.size(); ++g) {
        std::int64_t* to = gap + 3 * (static_cast<std::size_t>(first[r]) + g);
        to[0] = gaps[g].begin;
        to[1] = gaps[g].end;
        to[2] = static_cast<std::int64_t>(gaps[g].cause);
      }
    }
  });
}
