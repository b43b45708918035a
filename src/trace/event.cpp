#include "trace/event.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace workbook::trace {

using nlohmann::json;

namespace {

constexpr std::array<const char*, 13> kind_names{"alloc", "free",   "copy",  "memset", "kernel",
                                                 "sync",  "stream", "event", "api",    "range",
                                                 "fault", "output", "note"};
constexpr std::array<const char*, 6> memory_names{"none", "pageable", "pinned", "device", "managed", "array"};

template <class Enum, std::size_t N>
Enum enum_from(const std::array<const char*, N>& names, std::string_view text, const char* what) {
  for (std::size_t i = 0; i < N; ++i) {
    if (text == names[i]) return static_cast<Enum>(i);
  }
  throw std::runtime_error(fmt::format("unknown {} '{}'", what, text));
}

// A line holds only what differs from a fresh Event: traces stay short and readable.
template <class T>
void put(json& out, const char* key, const T& value, const T& fresh) {
  if (!(value == fresh)) out[key] = value;
}

template <class T>
void get(const json& in, const char* key, T& value) {
  if (const auto found = in.find(key); found != in.end()) value = found->get<T>();
}

void put_times(json& out, const Event& e) {
  if (e.host_begin_ns >= 0 || e.host_end_ns >= 0) out["host_ns"] = {e.host_begin_ns, e.host_end_ns};
  if (e.device_begin_ns >= 0 || e.device_end_ns >= 0) out["device_ns"] = {e.device_begin_ns, e.device_end_ns};
}

void get_pair(const json& in, const char* key, std::int64_t& first, std::int64_t& second) {
  const auto found = in.find(key);
  if (found == in.end()) return;
  const auto pair = found->get<std::array<std::int64_t, 2>>();
  first = pair[0];
  second = pair[1];
}

void put_memory(json& out, const Event& e) {
  const Event fresh;
  put(out, "address", e.address, fresh.address);
  put(out, "source", e.source, fresh.source);
  put(out, "bytes", e.bytes, fresh.bytes);
  if (e.from != MemoryKind::none) out["from"] = memory_names[static_cast<std::size_t>(e.from)];
  if (e.to != MemoryKind::none) out["to"] = memory_names[static_cast<std::size_t>(e.to)];
  put(out, "direction", e.direction, fresh.direction);
  put(out, "async", e.asynchronous, false);
}

void get_memory(const json& in, Event& e) {
  get(in, "address", e.address);
  get(in, "source", e.source);
  get(in, "bytes", e.bytes);
  std::string text;
  if (get(in, "from", text); !text.empty()) e.from = enum_from<MemoryKind>(memory_names, text, "memory kind");
  text.clear();
  if (get(in, "to", text); !text.empty()) e.to = enum_from<MemoryKind>(memory_names, text, "memory kind");
  get(in, "direction", e.direction);
  get(in, "async", e.asynchronous);
}

void put_kernel(json& out, const Event& e) {
  if (e.kind != EventKind::kernel) return;
  out["grid"] = e.grid;
  out["block"] = e.block;
  out["dynamic_shared"] = e.dynamic_shared;
  out["static_shared"] = e.static_shared;
  out["registers"] = e.registers;
  put(out, "bound_by", e.bound_by, std::string());
  if (e.counter_names.empty()) return;
  json counters = json::object();
  for (std::size_t i = 0; i < e.counter_names.size() && i < e.counter_values.size(); ++i) {
    counters[e.counter_names[i]] = e.counter_values[i];
  }
  out["counters"] = std::move(counters);
}

void get_kernel(const json& in, Event& e) {
  get(in, "grid", e.grid);
  get(in, "block", e.block);
  get(in, "dynamic_shared", e.dynamic_shared);
  get(in, "static_shared", e.static_shared);
  get(in, "registers", e.registers);
  get(in, "bound_by", e.bound_by);
  const auto counters = in.find("counters");
  if (counters == in.end()) return;
  for (const auto& [name, value] : counters->items()) {
    e.counter_names.push_back(name);
    e.counter_values.push_back(value.get<std::uint64_t>());
  }
}

json payload_value(const Payload& p) {
  if (p.type.starts_with("int")) return p.integer;
  if (p.type.starts_with("uint")) return p.natural;
  return p.real;
}

void put_range(json& out, const Event& e) {
  if (e.kind != EventKind::range) return;
  const Event fresh;
  out["phase"] = e.phase;
  put(out, "domain", e.domain, fresh.domain);
  put(out, "begun_by", e.begun_by, fresh.begun_by);
  put(out, "category", e.category, fresh.category);
  put(out, "category_name", e.category_name, fresh.category_name);
  put(out, "color", e.color, fresh.color);
  put(out, "registered", e.registered, false);
  if (!e.payload.type.empty())
    out["payload"] = {{"type", e.payload.type}, {"value", payload_value(e.payload)}};
}

void get_range(const json& in, Event& e) {
  get(in, "phase", e.phase);
  get(in, "domain", e.domain);
  get(in, "begun_by", e.begun_by);
  get(in, "category", e.category);
  get(in, "category_name", e.category_name);
  get(in, "color", e.color);
  get(in, "registered", e.registered);
  const auto payload = in.find("payload");
  if (payload == in.end()) return;
  e.payload.type = payload->at("type").get<std::string>();
  const json& value = payload->at("value");
  if (e.payload.type.starts_with("int"))
    e.payload.integer = value.get<std::int64_t>();
  else if (e.payload.type.starts_with("uint"))
    e.payload.natural = value.get<std::uint64_t>();
  else
    e.payload.real = value.is_null() ? std::nan("") : value.get<double>();  // JSON has no NaN
}

}  // namespace

const char* name_of(MemoryKind kind) {
  return memory_names.at(static_cast<std::size_t>(kind));
}

const char* copy_direction(int kind) {
  static constexpr std::array<const char*, 5> names{"HostToHost", "HostToDevice", "DeviceToHost",
                                                    "DeviceToDevice", "Default"};
  return kind >= 0 && kind < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(kind)]
                                                            : "invalid";
}

json to_json(const Header& h) {
  return {{"schema", schema},     {"device", h.device},     {"device_name", h.device_name},
          {"profile", h.profile}, {"modelled", h.modelled}, {"executable", h.executable}};
}

Header header_from_json(const json& in) {
  try {
    Header h;
    if (const auto found = in.value("schema", ""); found != schema) {
      throw std::runtime_error(fmt::format("schema is '{}', expected '{}'", found, schema));
    }
    get(in, "device", h.device);
    get(in, "device_name", h.device_name);
    get(in, "profile", h.profile);
    get(in, "modelled", h.modelled);
    get(in, "executable", h.executable);
    return h;
  } catch (const json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

json to_json(const Event& e) {
  const Event fresh;
  json out{{"kind", kind_names[static_cast<std::size_t>(e.kind)]}, {"id", e.id}};
  put(out, "api", e.api, fresh.api);
  put(out, "result", e.result, fresh.result);
  put(out, "result_name", e.result_name, fresh.result_name);
  put(out, "thread", e.thread, fresh.thread);
  put(out, "stream", e.stream, fresh.stream);
  put_times(out, e);
  put_memory(out, e);
  put(out, "name", e.name, fresh.name);
  put_kernel(out, e);
  put_range(out, e);
  put(out, "text", e.text, fresh.text);
  if (!e.detail_json.empty()) {
    json detail = json::parse(e.detail_json, nullptr, /*allow_exceptions=*/false);
    if (detail.is_discarded()) detail = e.detail_json;  // kept as a string rather than lost
    out["detail"] = std::move(detail);
  }
  put(out, "frames", e.frames, fresh.frames);
  return out;
}

Event event_from_json(const json& in) {
  try {
    Event e;
    e.kind = enum_from<EventKind>(kind_names, in.at("kind").get<std::string>(), "event kind");
    get(in, "id", e.id);
    get(in, "api", e.api);
    get(in, "result", e.result);
    get(in, "result_name", e.result_name);
    get(in, "thread", e.thread);
    get(in, "stream", e.stream);
    get_pair(in, "host_ns", e.host_begin_ns, e.host_end_ns);
    get_pair(in, "device_ns", e.device_begin_ns, e.device_end_ns);
    get_memory(in, e);
    get(in, "name", e.name);
    get_kernel(in, e);
    get_range(in, e);
    get(in, "text", e.text);
    if (const auto found = in.find("detail"); found != in.end()) {
      e.detail_json = found->is_string() ? found->get<std::string>() : found->dump();
    }
    get(in, "frames", e.frames);
    return e;
  } catch (const json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace workbook::trace
