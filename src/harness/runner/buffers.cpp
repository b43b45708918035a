#include "harness/runner/buffers.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "harness/runner/device.h"

namespace workbook::runner {

namespace {

constexpr std::size_t guard_bytes = 4096;
constexpr int poison_byte = 0xff;

// What byte i of a guard holds. No constant: a kernel that works on the guard of its input and writes to the
// guard of its output, such as a weighted mean of neighbours, would give a constant back and leave no trace.
const std::vector<std::byte>& guard_pattern() {
  static const std::vector<std::byte> pattern = [] {
    std::vector<std::byte> bytes(guard_bytes);
    std::uint32_t state = 0x9e3779b9u;
    for (std::byte& byte : bytes) {
      state = state * 1664525u + 1013904223u;
      byte = static_cast<std::byte>(state >> 24);
    }
    return bytes;
  }();
  return pattern;
}

void need(cudaError_t error, const std::string& what) {
  if (error == cudaSuccess) return;
  throw GraderError{what + ": " + cudaGetErrorName(error)};
}

std::uint64_t hash_of(const std::byte* data, std::size_t bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + i, sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

bool exact(bool on_device) {
  return on_device && simulated() != nullptr;
}

// The bytes as they are now, on the host.
std::vector<std::byte> fetch(const std::byte* from, std::size_t bytes, bool on_device, bool& ok) {
  std::vector<std::byte> copy(bytes);
  ok = true;
  if (bytes == 0) return copy;
  if (!on_device)
    std::memcpy(copy.data(), from, bytes);
  else if (cudaMemcpy(copy.data(), from, bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
    ok = false;
  if (!ok) cudaGetLastError();
  return copy;
}

}  // namespace

Buffers::~Buffers() {
  const Own own;
  for (const Buffer& buffer : buffers_) {
    if (!buffer.on_device) std::free(buffer.base);
    // A simulated device ends with its process: the trace is shorter without these.
    else if (simulated() == nullptr)
      cudaFree(buffer.base);
    if (buffer.values != nullptr) cudaFree(buffer.values);
  }
  cudaGetLastError();
}

void* Buffers::host(std::string_view name, char mode) {
  return get(name, mode, false);
}

void* Buffers::device(std::string_view name, char mode) {
  return get(name, mode, true);
}

void* Buffers::get(std::string_view name, char mode, bool on_device) {
  const Item* item = exchange_.find(name);
  if (item == nullptr) throw GraderError{"the check sets no array '" + std::string(name) + "'"};
  if (item->mode != mode) {
    const auto words = [](char m) {
      return m == 'i' ? "in" : m == 'o' ? "out" : m == 'b' ? "inout" : "a value";
    };
    throw GraderError{"array '" + std::string(name) + "' is " + words(item->mode) + " in the check, and " +
                      words(mode) + " in the driver"};
  }
  for (const Buffer& buffer : buffers_) {
    if (buffer.item != item) continue;
    if (buffer.on_device == on_device) return buffer.array;
    if (mode != 'i') throw GraderError{"the output '" + std::string(name) + "' can be on one side only"};
  }
  const Own own;
  buffers_.push_back(on_device ? allocate_device(*item) : allocate_host(*item));
  fill(buffers_.back(), true);
  return buffers_.back().array;
}

Buffers::Buffer Buffers::allocate_host(const Item& item) {
  const std::size_t bytes = (2 * guard_bytes + item.bytes() + 63) / 64 * 64;
  auto* base = static_cast<std::byte*>(std::aligned_alloc(64, bytes));
  if (base == nullptr) throw GraderError{"not enough host memory for '" + item.name + "'"};
  return {&item, false, base, base + guard_bytes};
}

Buffers::Buffer Buffers::allocate_device(const Item& item) {
  void* base = nullptr;
  const bool is_exact = exact(true);
  const std::size_t bytes = is_exact ? (item.bytes() > 0 ? item.bytes() : 1) : item.bytes() + 2 * guard_bytes;
  need(cudaMalloc(&base, bytes), "no device memory for '" + item.name + "'");
  if (is_exact) simulated()->name_allocation(base, item.name.c_str());
  auto* start = static_cast<std::byte*>(base);
  return {&item, true, start, is_exact ? start : start + guard_bytes};
}

void Buffers::put_guard(std::byte* to, bool on_device) {
  if (on_device)
    need(cudaMemcpy(to, guard_pattern().data(), guard_bytes, cudaMemcpyHostToDevice),
         "cannot guard an array");
  else
    std::memcpy(to, guard_pattern().data(), guard_bytes);
}

void Buffers::put(const Buffer& buffer, std::size_t offset, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (buffer.on_device)
    need(cudaMemcpy(buffer.array + offset, from, bytes, cudaMemcpyHostToDevice),
         "cannot fill '" + buffer.item->name + "'");
  else
    std::memcpy(buffer.array + offset, from, bytes);
}

void Buffers::fill(const Buffer& buffer, bool first) {
  const Item& item = *buffer.item;
  const bool is_exact = exact(buffer.on_device);
  const auto set = [&](std::byte* to, int byte, std::size_t bytes) {
    if (bytes == 0) return;
    if (buffer.on_device)
      need(cudaMemset(to, byte, bytes), "cannot fill '" + item.name + "'");
    else
      std::memset(to, byte, bytes);
  };
  if (!is_exact) {
    put_guard(buffer.base, buffer.on_device);
    put_guard(buffer.array + item.bytes(), buffer.on_device);
  }
  if (item.bytes() == 0) return;
  if (item.mode == 'o') {
    // Fresh memory of the simulated device is poison already, and known to be never written.
    if (!is_exact || !first) set(buffer.array, poison_byte, item.bytes());
  } else {
    put_values(buffer, 0, 0, item.bytes());
  }
}

// Without memory for it the values keep coming from the host: slower, and as right.
void Buffers::keep_values(Buffer& buffer) {
  if (buffer.values != nullptr || !buffer.on_device || simulated() != nullptr) return;
  void* values = nullptr;
  if (cudaMalloc(&values, buffer.item->bytes()) != cudaSuccess) {
    cudaGetLastError();
    return;
  }
  buffer.values = static_cast<std::byte*>(values);
  need(cudaMemcpy(values, exchange_.data(*buffer.item), buffer.item->bytes(), cudaMemcpyHostToDevice),
       "cannot keep the values of '" + buffer.item->name + "'");
}

// Bytes of the judge's values, from `from` on, to the array.
void Buffers::put_values(const Buffer& buffer, std::size_t offset, std::size_t from, std::size_t bytes) {
  if (buffer.values == nullptr) return put(buffer, offset, exchange_.data(*buffer.item) + from, bytes);
  if (bytes == 0) return;
  need(cudaMemcpy(buffer.array + offset, buffer.values + from, bytes, cudaMemcpyDeviceToDevice),
       "cannot fill '" + buffer.item->name + "'");
  // Such a copy returns before it is over, and a stream of the learner's need not wait for it.
  need(cudaDeviceSynchronize(), "cannot fill '" + buffer.item->name + "'");
}

void Buffers::renew() {
  const Own own;
  for (const Buffer& buffer : buffers_) fill(buffer, false);
}

void Buffers::rotate(std::string_view name, std::size_t run) {
  const Own own;
  for (Buffer& buffer : buffers_) {
    const Item& item = *buffer.item;
    if (item.name != name || item.count < 2) continue;
    if (!buffer.hashed) buffer.hash = hash_of(exchange_.data(item), item.bytes());
    buffer.hashed = true;
    keep_values(buffer);
    std::uint64_t mixed = (buffer.hash ^ run) * 0x9e3779b97f4a7c15u;
    mixed ^= mixed >> 32;
    const std::size_t places = 1 + mixed % (item.count - 1);
    const std::size_t head = places * item.element, tail = item.bytes() - head;
    put_values(buffer, 0, head, tail);
    put_values(buffer, tail, 0, head);
  }
}

void Buffers::keep_outputs() {
  const Own own;
  kept_.clear();
  for (const Buffer& buffer : buffers_) {
    bool ok = true;
    kept_.push_back(buffer.item->mode == 'i'
                        ? std::vector<std::byte>()
                        : fetch(buffer.array, buffer.item->bytes(), buffer.on_device, ok));
  }
}

void Buffers::restore() {
  const Own own;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (buffers_[i].item->mode == 'i')
      fill(buffers_[i], false);
    else
      put(buffers_[i], 0, kept_[i].data(), kept_[i].size());
  }
}

void Buffers::check_guards(const Buffer& buffer, nlohmann::json& guards) {
  const Item& item = *buffer.item;
  bool ok = true;
  if (exact(buffer.on_device)) {
    if (item.bytes() > 0) return;
    const auto byte = fetch(buffer.base, 1, true, ok);
    if (ok && byte[0] != std::byte{poison_byte})
      guards.push_back({{"name", item.name}, {"side", "after"}, {"offset", 0}, {"bytes", 1}});
    return;
  }
  for (const bool before : {true, false}) {
    const auto bytes =
        fetch(before ? buffer.base : buffer.array + item.bytes(), guard_bytes, buffer.on_device, ok);
    std::size_t damaged = 0, nearest = 0;
    for (std::size_t i = 0; ok && i < guard_bytes; ++i) {
      // Outward from the array: the damage nearest to it is the first.
      const std::size_t at = before ? guard_bytes - 1 - i : i;
      if (bytes[at] == guard_pattern()[at]) continue;
      if (damaged++ == 0) nearest = i;
    }
    if (damaged > 0)
      guards.push_back({{"name", item.name},
                        {"side", before ? "before" : "after"},
                        {"offset", nearest},
                        {"bytes", damaged}});
  }
}

void Buffers::check_input(const Buffer& buffer, nlohmann::json& changed) {
  const Item& item = *buffer.item;
  bool ok = true;
  const auto now = fetch(buffer.array, item.bytes(), buffer.on_device, ok);
  const std::byte* was = exchange_.data(item);
  if (!ok || now.empty() || std::memcmp(now.data(), was, now.size()) == 0) return;
  std::size_t i = 0;
  while (now[i] == was[i]) ++i;
  changed.push_back({{"name", item.name}, {"index", i / item.element}});
}

void Buffers::collect(nlohmann::json& response) {
  const Own own;
  auto taken = nlohmann::json::array(), guards = nlohmann::json::array(), changed = nlohmann::json::array();
  for (const Buffer& buffer : buffers_) {
    const Item& item = *buffer.item;
    check_guards(buffer, guards);
    if (item.mode == 'i') {
      check_input(buffer, changed);
      continue;
    }
    bool ok = true;
    const auto bytes = fetch(buffer.array, item.bytes(), buffer.on_device, ok);
    if (!ok) continue;
    if (!bytes.empty()) std::memcpy(exchange_.output(item), bytes.data(), bytes.size());
    taken.push_back(item.name);
  }
  response["taken"] = std::move(taken);
  response["guards"] = std::move(guards);
  response["changed"] = std::move(changed);
}

}  // namespace workbook::runner
