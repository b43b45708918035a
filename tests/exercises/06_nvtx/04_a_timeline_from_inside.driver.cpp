#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <cstdint>
#include <vector>

// These stand in the learner's file, or in workbook/work.cuh.
struct BlockTime {
  unsigned long long begin, end, sm;
};
namespace workbook {
struct Work {
  const int* rounds;
  unsigned long long* notes;
};
}  // namespace workbook
cudaError_t run_logged(int blocks, int threads, workbook::Work work, BlockTime* d_log);
std::vector<int> waves(const std::vector<BlockTime>& log);

WORKBOOK_DRIVER(run_logged) {
  const int blocks = static_cast<int>(call.count("rounds"));
  const int threads = call.value<int>("threads");
  const int* d_rounds = call.device_in<int>("rounds");
  auto* d_log = reinterpret_cast<BlockTime*>(call.device_out<unsigned long long>("log"));
  auto* d_notes = call.device_out<unsigned long long>("notes");
  if (call.value<int>("warm") != 0) {
    run_logged(blocks, threads, {d_rounds, d_notes}, d_log);
    cudaDeviceSynchronize();
    call.renew();
  }
  cudaError_t status = cudaSuccess;
  call.learner([&] { status = run_logged(blocks, threads, {d_rounds, d_notes}, d_log); });
  call.result("status", static_cast<int>(status));
  call.result("status_name", cudaGetErrorName(status));
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  call.result("sms", sms);
}

// Many logs in one call: log g has the lines first[g] .. first[g + 1] - 1, three numbers each.
WORKBOOK_DRIVER(waves) {
  const auto* line = call.host_in<std::uint64_t>("line");
  const auto* first = call.host_in<std::int64_t>("first");
  auto* wave = call.host_out<int>("wave");
  auto* length = call.host_out<std::int64_t>("length");
  const std::size_t logs = call.count("length");
  call.learner([&] {
    for (std::size_t g = 0; g < logs; ++g) {
      std::vector<BlockTime> log;
      for (std::int64_t b = first[g]; b < first[g + 1]; ++b)
        log.push_back({line[3 * b], line[3 * b + 1], line[3 * b + 2]});
      const std::vector<int> answer = waves(log);
      length[g] = static_cast<std::int64_t>(answer.size());
      for (std::size_t b = 0; b < log.size() && b < answer.size(); ++b)
        wave[static_cast<std::size_t>(first[g]) + b] = answer[b];
    }
  });
}
