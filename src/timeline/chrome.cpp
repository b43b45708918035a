#include "timeline/chrome.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "timeline/summary.h"

namespace workbook::timeline {

using nlohmann::json;
using trace::Event;
using trace::EventKind;

namespace {

constexpr int host = 1, device = 2;

std::string json_text(const std::string& text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

struct Item {
  Interval when;
  std::string name, category;
  json arguments = json::object();
  std::uint64_t flow = 0;  // call and operation of one event share it
};

// One row of the picture; becomes as many tracks as nesting needs.
struct Track {
  int process = host;
  std::string name;
  std::vector<Item> items;
};

class Writer {
 public:
  Writer(const Timeline& timeline, const trace::Header& header)
      : timeline_(timeline), origin_(timeline.whole().begin) {
    line(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":"host"}}}})", host);
    const std::string what = header.device_name + (header.modelled ? ", modelled" : "");
    line(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}})", device, json_text(what));
  }

  void put(Track track) {
    std::stable_sort(track.items.begin(), track.items.end(), [](const Item& a, const Item& b) {
      return a.when.begin != b.when.begin ? a.when.begin < b.when.begin : a.when.end > b.when.end;
    });
    std::vector<Item> rest = std::move(track.items);
    while (!rest.empty()) {
      const int thread = next_thread_++;
      line(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}})", track.process,
           thread, json_text(track.name));
      line(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})",
           track.process, thread, thread);
      rest = put_nested(track.process, thread, std::move(rest));
    }
  }

  void mark(const Range& range) {
    line(R"({{"ph":"i","s":"t","pid":{},"tid":0,"ts":{},"name":{},"cat":"mark"}})", host, us(range.begin_ns),
         json_text(range.name));
  }

  void asynchronous(const Range& range) {
    for (const char* phase : {"b", "e"}) {
      line(R"({{"ph":"{}","pid":{},"tid":0,"ts":{},"id":{},"name":{},"cat":{}}})", phase, host,
           us(*phase == 'b' ? range.begin_ns : range.end_ns), range.id, json_text(range.name),
           json_text("range" + (range.domain.empty() ? "" : " " + range.domain)));
    }
  }

  void running_kernels(const std::vector<const Event*>& events) {
    std::map<std::int64_t, int> changes;
    for (const Event* event : events) {
      if (event->kind != EventKind::kernel || event->device_begin_ns < 0) continue;
      ++changes[event->device_begin_ns];
      --changes[event->device_end_ns];
    }
    int running = 0;
    for (const auto& [at, change] : changes) {
      if (change == 0) continue;
      running += change;
      line(R"({{"ph":"C","pid":{},"tid":0,"ts":{},"name":"kernels running","args":{{"kernels":{}}}}})",
           device, us(at), running);
    }
  }

  std::string text() && {
    return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + std::move(out_) + "\n]}\n";
  }

 private:
  template <class... A>
  void line(fmt::format_string<A...> format, A&&... arguments) {
    if (!out_.empty()) out_ += ",\n";
    fmt::format_to(std::back_inserter(out_), format, std::forward<A>(arguments)...);
  }

  std::string us(std::int64_t ns) const {
    const std::int64_t t = ns - origin_;
    return fmt::format("{}.{:03}", t / 1000, t % 1000);
  }

  // Writes what nests, gives back what does not.
  std::vector<Item> put_nested(int process, int thread, std::vector<Item> items) {
    std::vector<std::int64_t> ends;
    std::vector<Item> left;
    for (Item& item : items) {
      while (!ends.empty() && ends.back() <= item.when.begin) ends.pop_back();
      if (!ends.empty() && item.when.end > ends.back()) {
        left.push_back(std::move(item));
        continue;
      }
      ends.push_back(item.when.end);
      put_item(process, thread, item);
    }
    return left;
  }

  void put_item(int process, int thread, const Item& item) {
    line(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{}.{:03},"name":{},"cat":{},"args":{}}})", process,
         thread, us(item.when.begin), item.when.length() / 1000, item.when.length() % 1000,
         json_text(item.name), json_text(item.category),
         item.arguments.dump(-1, ' ', false, json::error_handler_t::replace));
    if (item.flow == 0) return;
    const bool begins = process == host;
    line(R"({{"ph":"{}","pid":{},"tid":{},"ts":{},"id":{},"name":"asked for","cat":"flow"{}}})",
         begins ? "s" : "f", process, thread, us(item.when.begin), item.flow, begins ? "" : R"(,"bp":"e")");
  }

  const Timeline& timeline_;
  std::int64_t origin_;
  int next_thread_ = 1;
  std::string out_;
};

json arguments_of(const Event& event) {
  json out = json::object();
  if (event.kind == EventKind::kernel) {
    out = {{"grid", event.grid}, {"block", event.block}, {"registers", event.registers}};
    if (!event.bound_by.empty()) out["bound by"] = event.bound_by;
  }
  if (event.bytes != 0) out["bytes"] = event.bytes;
  if (event.kind == EventKind::copy) {
    out["from"] = trace::name_of(event.from);
    out["to"] = trace::name_of(event.to);
  }
  if (event.result != 0) out["result"] = event.result_name;
  return out;
}

std::string operation_name(const Event& event) {
  if (event.kind == EventKind::kernel) return event.name;
  return event.kind == EventKind::memset ? "memset" : direction_of(event);
}

void put_host(Writer& writer, const Timeline& timeline) {
  std::map<int, Track> calls;
  Track overheads{host, "loading and compiling", {}};
  for (const Event* event : timeline.events()) {
    const Interval when{event->host_begin_ns, event->host_end_ns};
    if (event->kind == EventKind::note && event->name == "overhead")
      overheads.items.push_back({when, event->text, "overhead", json::object(), 0});
    if (event->api.empty() || event->host_begin_ns < 0 || event->kind == EventKind::fault) continue;
    const bool leads_on = is_operation(*event) && event->device_begin_ns >= 0;
    calls[event->thread].items.push_back(
        {when, event->api, "call", arguments_of(*event), leads_on ? event->id : 0});
  }
  for (auto& [thread, track] : calls) {
    track.name = fmt::format("thread {}: CUDA calls", thread);
    writer.put(std::move(track));
  }
  if (!overheads.items.empty()) writer.put(std::move(overheads));
}

void put_ranges(Writer& writer, const Timeline& timeline) {
  std::map<std::pair<int, std::string>, Track> tracks;
  for (const Range& range : timeline.ranges().ranges) {
    if (range.kind == Range::Kind::mark) writer.mark(range);
    if (range.kind == Range::Kind::free) writer.asynchronous(range);
    if (range.kind != Range::Kind::nested) continue;
    json arguments = json::object();
    if (!range.category_name.empty()) arguments["category"] = range.category_name;
    if (range.open) arguments["open"] = true;
    tracks[{range.thread, range.domain}].items.push_back(
        {{range.begin_ns, range.end_ns}, range.name, "range", std::move(arguments), 0});
  }
  for (auto& [key, track] : tracks) {
    track.name = fmt::format("thread {}: ranges{}", key.first, key.second.empty() ? "" : " of " + key.second);
    writer.put(std::move(track));
  }
}

void put_device(Writer& writer, const Timeline& timeline) {
  std::map<int, Track> streams;
  for (const Event* event : timeline.events()) {
    if (!is_operation(*event) || event->device_begin_ns < 0) continue;
    const char* category = event->kind == EventKind::kernel ? "kernel" : "copy";
    streams[event->stream].items.push_back(
        {{event->device_begin_ns, event->device_end_ns},
         operation_name(*event),
         category,
         arguments_of(*event),
         event->host_begin_ns >= 0 && !event->api.empty() ? event->id : 0});
  }
  for (auto& [number, track] : streams) {
    track.process = device;
    track.name = number == 0 ? "default stream" : fmt::format("stream {}", number);
    writer.put(std::move(track));
  }
  writer.running_kernels(timeline.events());
}

}  // namespace

std::string chrome_json(const Timeline& timeline, const trace::Header& header) {
  Writer writer(timeline, header);
  put_ranges(writer, timeline);
  put_host(writer, timeline);
  put_device(writer, timeline);
  return std::move(writer).text();
}

}  // namespace workbook::timeline
