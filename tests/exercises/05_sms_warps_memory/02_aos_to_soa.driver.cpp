// Loads records once, asks for fields, gives them back; timed against asking the records as they came.
#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <vector>

#include "kernels/records/records.h"

struct Record {
  float value[32];
};
struct Store;
Store* load(const Record* h_records, int n);
void scale(const Store* store, int field, float factor, float* d_out);
void release(Store* store);

namespace {

// Number f of record i is base[(32 * i + f) % count]; the count is a prime.
std::vector<Record> records(workbook::Call& call, int n) {
  const float* base = call.host_in<float>("base");
  const std::size_t count = call.count("base");
  std::vector<Record> all(static_cast<std::size_t>(n));
  std::size_t at = 0;
  for (Record& record : all)
    for (float& value : record.value) value = base[at++ % count];
  return all;
}

}  // namespace

// All 32 fields, each into its own part of `out`.
WORKBOOK_DRIVER(every_field) {
  const int n = call.value<int>("n");
  const float factor = call.value<float>("factor");
  std::vector<Record> h = records(call, n);
  float* d_out = call.device_out<float>("out");
  Store* store = nullptr;
  call.learner("load", [&] { store = load(h.data(), n); });
  for (Record& record : h) record = {};  // the caller's again
  call.learner("scale", [&] {
    for (int field = 0; field < 32; ++field) scale(store, field, factor, d_out + std::size_t(field) * n);
  });
  call.learner("release", [&] { release(store); });
}

// Another field each time, so that nothing can be remembered. `out` is what the last of them gave.
WORKBOOK_DRIVER(scale_timed) {
  const int n = call.value<int>("n");
  const float factor = call.value<float>("factor");
  const std::vector<Record> h = records(call, n);
  float* d_out = call.device_out<float>("out");
  float *d_records = nullptr, *d_theirs = nullptr;
  cudaMalloc(&d_records, h.size() * sizeof(Record));
  cudaMalloc(&d_theirs, h.size() * sizeof(float));
  cudaMemcpy(d_records, h.data(), h.size() * sizeof(Record), cudaMemcpyHostToDevice);
  Store* store = nullptr;
  call.learner("load", [&] { store = load(h.data(), n); });
  int runs = 0;
  call.measure(
      "records", [&] { scale(store, 5 * runs++ % 32, factor, d_out); },
      [&] { workbook::kernels::scale_records(d_records, n, 5, factor, d_theirs); });
  call.renew();
  const int field = 5 * runs % 32;
  call.learner("scale", [&] { scale(store, field, factor, d_out); });
  call.learner("release", [&] { release(store); });
  call.result("field", field);
  cudaFree(d_records);
  cudaFree(d_theirs);
}
