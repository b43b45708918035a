// The exported copies and fills; what they do stands in copies.cpp.
#include "cudart/copies.h"
#include "cudart/modules.h"

namespace workbook::cudart {

namespace {

constexpr auto copy_event = trace::EventKind::copy;
constexpr auto fill_event = trace::EventKind::memset;

std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

Rows line(const void* to, const void* from, std::size_t bytes) {
  return {address_of(to), address_of(from), 0, 0, bytes, 1};
}

cudaError_t copy_line(const char* api, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                      cudaStream_t stream, bool asynchronous) {
  Call call(api, copy_event);
  if (call.refused()) return call.refusal();
  return copy(call, line(to, from, bytes), kind, stream, asynchronous);
}

cudaError_t copy_rows(const char* api, const Rows& rows, cudaMemcpyKind kind, cudaStream_t stream,
                      bool asynchronous) {
  Call call(api, copy_event);
  if (call.refused()) return call.refusal();
  if (rows.to_pitch < rows.width || rows.from_pitch < rows.width) return call.end(cudaErrorInvalidPitchValue);
  return copy(call, rows, kind, stream, asynchronous);
}

// Address of byte `offset` of a device variable, if `bytes` from there lie in it.
cudaError_t place_in_symbol(const void* symbol, std::size_t offset, std::size_t bytes,
                            std::uint64_t& address) {
  DeviceVariable* const variable = Modules::get().find_variable(symbol);
  if (variable == nullptr) return cudaErrorInvalidSymbol;
  std::uint64_t base = 0, size = 0;
  if (const int error = Modules::get().locate(*variable, base, size); error != cudaSuccess) {
    return static_cast<cudaError_t>(error);
  }
  if (offset > size || bytes > size - offset) return cudaErrorInvalidValue;
  address = base + offset;
  return cudaSuccess;
}

cudaError_t copy_to_symbol(const char* api, const void* symbol, const void* from, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool asynchronous) {
  Call call(api, copy_event);
  if (call.refused()) return call.refusal();
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return call.end(cudaErrorInvalidMemcpyDirection);
  std::uint64_t address = 0;
  if (const cudaError_t error = place_in_symbol(symbol, offset, bytes, address); error != cudaSuccess) {
    return call.end(error);
  }
  return copy(call, {address, address_of(from), 0, 0, bytes, 1}, kind, stream, asynchronous);
}

cudaError_t copy_from_symbol(const char* api, void* to, const void* symbol, std::size_t bytes,
                             std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                             bool asynchronous) {
  Call call(api, copy_event);
  if (call.refused()) return call.refusal();
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return call.end(cudaErrorInvalidMemcpyDirection);
  std::uint64_t address = 0;
  if (const cudaError_t error = place_in_symbol(symbol, offset, bytes, address); error != cudaSuccess) {
    return call.end(error);
  }
  return copy(call, {address_of(to), address, 0, 0, bytes, 1}, kind, stream, asynchronous);
}

cudaError_t fill_rows(const char* api, const Rows& rows, int value, cudaStream_t stream, bool asynchronous) {
  Call call(api, fill_event);
  if (call.refused()) return call.refusal();
  if (rows.height > 1 && rows.to_pitch < rows.width) return call.end(cudaErrorInvalidPitchValue);
  return fill(call, rows, value, stream, asynchronous);
}

}  // namespace

}  // namespace workbook::cudart

using namespace workbook::cudart;  // NOLINT: the exported functions below are part of it

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy_line("cudaMemcpy", to, from, bytes, kind, nullptr, false);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_line("cudaMemcpyAsync", to, from, bytes, kind, stream, true);
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  return copy_line("cudaMemcpyPeer", to, from, bytes, cudaMemcpyDefault, nullptr, false);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2D", {address_of(to), address_of(from), to_pitch, from_pitch, width, height},
                   kind, nullptr, false);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_rows("cudaMemcpy2DAsync",
                   {address_of(to), address_of(from), to_pitch, from_pitch, width, height}, kind, stream,
                   true);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind kind) {
  return copy_to_symbol("cudaMemcpyToSymbol", symbol, from, bytes, offset, kind, nullptr, false);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to_symbol("cudaMemcpyToSymbolAsync", symbol, from, bytes, offset, kind, stream, true);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                 cudaMemcpyKind kind) {
  return copy_from_symbol("cudaMemcpyFromSymbol", to, symbol, bytes, offset, kind, nullptr, false);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_from_symbol("cudaMemcpyFromSymbolAsync", to, symbol, bytes, offset, kind, stream, true);
}

cudaError_t cudaGetSymbolAddress(void** out, const void* symbol) {
  Call call("cudaGetSymbolAddress");
  if (call.refused()) return call.refusal();
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  std::uint64_t address = 0;
  const cudaError_t error = place_in_symbol(symbol, 0, 0, address);
  if (error == cudaSuccess) *out = reinterpret_cast<void*>(address);
  return call.end(error);
}

cudaError_t cudaGetSymbolSize(std::size_t* out, const void* symbol) {
  Call call("cudaGetSymbolSize");
  if (call.refused()) return call.refusal();
  if (out == nullptr) return call.end(cudaErrorInvalidValue);
  const DeviceVariable* const variable = Modules::get().find_variable(symbol);
  if (variable == nullptr) return call.end(cudaErrorInvalidSymbol);
  *out = variable->size;
  return call.end(cudaSuccess);
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return fill_rows("cudaMemset", {address_of(to), 0, 0, 0, bytes, 1}, value, nullptr, false);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return fill_rows("cudaMemsetAsync", {address_of(to), 0, 0, 0, bytes, 1}, value, stream, true);
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_rows("cudaMemset2D", {address_of(to), 0, pitch, 0, width, height}, value, nullptr, false);
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  return fill_rows("cudaMemset2DAsync", {address_of(to), 0, pitch, 0, width, height}, value, stream, true);
}
