// Traces by hand, for the tests of the timeline: each call adds an event, times in microseconds.
#pragma once

#include <deque>
#include <string>

#include "trace/event.h"

namespace workbook::timeline {

class TraceMaker {
 public:
  trace::Event& kernel(const std::string& name, double host, double begin, double end, int stream = 0) {
    trace::Event& e = add(trace::EventKind::kernel, "cudaLaunchKernel", host, host + 2);
    e.name = name;
    e.stream = stream;
    return on_device(e, begin, end);
  }
  // From `memory` to the device; an asynchronous call of 2 us.
  trace::Event& copy(trace::MemoryKind memory, double host, double begin, double end, int stream = 0) {
    trace::Event& e = add(trace::EventKind::copy, "cudaMemcpyAsync", host, host + 2);
    e.from = memory;
    e.to = trace::MemoryKind::device;
    e.direction = "HostToDevice";
    e.asynchronous = true;
    e.bytes = 1 << 20;
    e.stream = stream;
    return on_device(e, begin, end);
  }
  trace::Event& call(trace::EventKind kind, const std::string& api, double begin, double end) {
    return add(kind, api, begin, end);
  }
  std::uint64_t push(const std::string& name, double at, const std::string& domain = {}) {
    return range("push", name, at, domain, 0).id;
  }
  void pop(std::uint64_t begun_by, double at, const std::string& domain = {}) {
    range("pop", "", at, domain, begun_by);
  }
  trace::Event& range(const std::string& phase, const std::string& name, double at, const std::string& domain,
                      std::uint64_t begun_by) {
    trace::Event& e = add(trace::EventKind::range, "", at, at);
    e.phase = phase;
    e.name = name;
    e.domain = domain;
    e.begun_by = begun_by;
    return e;
  }
  std::vector<trace::Event> events() const { return {events_.begin(), events_.end()}; }

  int thread = 0;  // of what is added next

 private:
  static std::int64_t ns(double us) { return static_cast<std::int64_t>(us * 1000); }
  trace::Event& add(trace::EventKind kind, const std::string& api, double begin, double end) {
    trace::Event e;
    e.kind = kind;
    e.api = api;
    e.id = events_.size() + 1;
    e.thread = thread;
    e.host_begin_ns = ns(begin);
    e.host_end_ns = ns(end);
    return events_.emplace_back(e);
  }
  trace::Event& on_device(trace::Event& e, double begin, double end) {
    e.device_begin_ns = ns(begin);
    e.device_end_ns = ns(end);
    return e;
  }
  std::deque<trace::Event> events_;
};

}  // namespace workbook::timeline
