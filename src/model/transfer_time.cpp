#include <algorithm>
#include <cmath>

#include "model/profile.h"

namespace workbook::model {
namespace {

// Between measured points the curve is straight in log-log; below the first it is flat, above the last it
// goes on with the last rate.
double curve_ns(const TransferCurve& curve, double bytes) {
  if (bytes <= curve.front().bytes) return curve.front().us * 1e3;
  if (bytes >= curve.back().bytes) return curve.back().us * 1e3 * bytes / curve.back().bytes;
  const auto above = std::find_if(curve.begin(), curve.end(),
                                  [&](const TransferPoint& point) { return point.bytes >= bytes; });
  const TransferPoint& a = *(above - 1);
  const TransferPoint& b = *above;
  const double share = std::log(bytes / a.bytes) / std::log(b.bytes / a.bytes);
  return a.us * std::pow(b.us / a.us, share) * 1e3;
}

std::int64_t whole(double ns) {
  return std::llround(ns);
}

}  // namespace

std::int64_t copy_ns(const Profile& p, CopyDirection direction, HostMemory memory, std::uint64_t bytes) {
  if (bytes == 0) return 0;
  const double n = static_cast<double>(bytes);
  switch (direction) {
    case CopyDirection::device_to_device:
      return whole(p.kernel.fixed_ns + 2 * n / p.device_copy_bytes_per_ns);
    case CopyDirection::host_to_host:
      return whole(curve_ns(p.within_host, n));
    case CopyDirection::host_to_device:
      if (memory == HostMemory::pageable) return whole(curve_ns(p.pageable_to_device, n));
      break;
    case CopyDirection::device_to_host:
      if (memory == HostMemory::pageable) return whole(curve_ns(p.pageable_to_host, n));
      break;
  }
  return whole(p.pinned_start_ns + n / p.pinned_bytes_per_ns);
}

std::int64_t copy_call_ns(const Profile& p, CopyDirection direction, HostMemory memory, std::uint64_t bytes) {
  if (bytes == 0) return p.costs.api_call;
  // A pageable source is staged by the calling thread: the call lasts as long as the copy.
  if (memory == HostMemory::pageable && direction != CopyDirection::device_to_device) {
    return copy_ns(p, direction, memory, bytes);
  }
  return whole(direction == CopyDirection::device_to_host ? p.copy_call_to_host_ns
                                                          : p.copy_call_to_device_ns);
}

std::int64_t memset_ns(const Profile& p, std::uint64_t bytes) {
  return whole(p.kernel.fixed_ns + static_cast<double>(bytes) / p.memset_bytes_per_ns);
}

std::int64_t jit_ns(const Profile& p, std::uint64_t ptx_bytes) {
  return whole(curve_ns(p.jit, static_cast<double>(ptx_bytes)));
}
std::int64_t jit_from_cache_ns(const Profile& p, std::uint64_t ptx_bytes) {
  return whole(curve_ns(p.jit_cache, static_cast<double>(ptx_bytes)));
}
std::int64_t jit_to_cache_ns(const Profile& p, std::uint64_t ptx_bytes) {
  return jit_from_cache_ns(p, ptx_bytes);
}
// Memory for them, and their first values.
std::int64_t module_data_ns(const Profile& p, std::uint64_t bytes) {
  return malloc_ns(p, bytes) + memset_ns(p, bytes);
}
std::int64_t malloc_ns(const Profile& p, std::uint64_t bytes) {
  return whole(curve_ns(p.malloc, static_cast<double>(bytes)));
}
std::int64_t free_ns(const Profile& p, std::uint64_t bytes) {
  return whole(curve_ns(p.free, static_cast<double>(bytes)));
}
std::int64_t malloc_async_ns(const Profile& p, std::uint64_t) {
  return whole(p.malloc_async_ns);
}
std::int64_t pin_ns(const Profile& p, std::uint64_t bytes) {
  return whole(curve_ns(p.pin, static_cast<double>(bytes)));
}
std::int64_t unpin_ns(const Profile& p, std::uint64_t bytes) {
  return whole(curve_ns(p.unpin, static_cast<double>(bytes)));
}
std::int64_t register_ns(const Profile& p, std::uint64_t bytes) {
  return whole(curve_ns(p.register_pages, static_cast<double>(bytes)));
}
std::int64_t unregister_ns(const Profile& p, std::uint64_t bytes) {
  return whole(curve_ns(p.unregister_pages, static_cast<double>(bytes)));
}

}  // namespace workbook::model
