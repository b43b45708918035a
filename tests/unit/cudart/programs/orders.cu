// Programs whose operations are ordered, and the same ones with an edge missing, each under every schedule.
//
//   orders NAME [SCHEDULE]    one line a schedule: its name, and 1 when all values were right, else 0
//
// What the runtime found stands in the trace, between the marks of the schedule's region.
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cudart/handshake.h"
#include "program.h"

namespace {

constexpr int n = 5003;  // no multiple of anything
constexpr std::size_t bytes = n * sizeof(int);

__global__ void add(const int* in, int* out, int count, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] + what;
}
__global__ void count_up(int* counter) {
  atomicAdd(counter, 1);
}

struct World {
  int *h_in = nullptr, *h_out = nullptr, *d_in = nullptr, *d_mid = nullptr, *d_out = nullptr;
  cudaStream_t s[3]{};
  cudaEvent_t e[4]{};
  bool ok = true;

  World() {
    cudaMallocHost(&h_in, bytes);
    cudaMallocHost(&h_out, 3 * bytes);
    for (int** p : {&d_in, &d_mid, &d_out}) {
      cudaMalloc(p, bytes);
      cudaMemset(*p, 0, bytes);
    }
    for (auto& stream : s) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (auto& event : e) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    fill(1);
    std::memset(h_out, 0, 3 * bytes);
    cudaDeviceSynchronize();
  }
  ~World() {
    cudaDeviceSynchronize();
    for (int* p : {d_in, d_mid, d_out}) cudaFree(p);
    cudaFreeHost(h_in);
    cudaFreeHost(h_out);
    for (auto& stream : s) cudaStreamDestroy(stream);
    for (auto& event : e) cudaEventDestroy(event);
  }
  void fill(int first) {
    for (int i = 0; i < n; ++i) h_in[i] = first + i;
  }
  void up(cudaStream_t stream, int* to = nullptr) {
    cudaMemcpyAsync(to == nullptr ? d_in : to, h_in, bytes, cudaMemcpyHostToDevice, stream);
  }
  void down(cudaStream_t stream, const int* from = nullptr) {
    cudaMemcpyAsync(h_out, from == nullptr ? d_out : from, bytes, cudaMemcpyDeviceToHost, stream);
  }
  void run(cudaStream_t stream, const int* in, int* out, int what = 1) {
    add<<<(n + 255) / 256, 256, 0, stream>>>(in, out, n, what);
  }
  void edge(int event, cudaStream_t from, cudaStream_t to) {
    cudaEventRecord(e[event], from);
    cudaStreamWaitEvent(to, e[event], 0);
  }
  void expect(int first) {
    for (int i = 0; i < n; ++i) ok = ok && h_out[i] == first + i;
  }
};

// Copy in s0, work in s1, copy back in s2; three times over the same buffers. Each edge can be left out.
void pipeline(World& w, bool copied, bool used, bool done, bool drained) {
  for (int round = 0; round < 3; ++round) {
    if (round > 0) cudaEventSynchronize(w.e[0]);  // the host may fill again
    w.fill(100 * round);
    w.up(w.s[0]);
    cudaEventRecord(w.e[0], w.s[0]);
    if (copied) cudaStreamWaitEvent(w.s[1], w.e[0], 0);
    if (drained && round > 0) cudaStreamWaitEvent(w.s[1], w.e[3], 0);
    w.run(w.s[1], w.d_in, w.d_out);
    if (used) w.edge(1, w.s[1], w.s[0]);
    if (done) w.edge(2, w.s[1], w.s[2]);
    cudaMemcpyAsync(w.h_out + round * n, w.d_out, bytes, cudaMemcpyDeviceToHost, w.s[2]);
    cudaEventRecord(w.e[3], w.s[2]);
  }
  cudaStreamSynchronize(w.s[2]);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < n; ++i) w.ok = w.ok && w.h_out[round * n + i] == 100 * round + i + 1;
  }
}

// The halves of one array in two streams; the border lies in the middle of a sector.
void halves(World& w, int overlap) {
  constexpr int half = 2501;
  cudaMemcpyAsync(w.d_in, w.h_in, (half + overlap) * sizeof(int), cudaMemcpyHostToDevice, w.s[0]);
  cudaMemcpyAsync(w.d_in + half, w.h_in + half, (n - half) * sizeof(int), cudaMemcpyHostToDevice, w.s[1]);
  add<<<(half + 255) / 256, 256, 0, w.s[0]>>>(w.d_in, w.d_out, half, 1);
  add<<<(n - half + 255) / 256, 256, 0, w.s[1]>>>(w.d_in + half, w.d_out + half, n - half, 1);
  cudaStreamSynchronize(w.s[0]);
  cudaStreamSynchronize(w.s[1]);
  w.down(w.s[2]);
  cudaStreamSynchronize(w.s[2]);
  w.expect(2);
}

// The even and the odd columns of a table, by rows.
void columns(World& w) {
  for (int k = 0; k < 2; ++k) {
    cudaMemcpy2DAsync(w.d_in + k, 8, w.h_in + k, 8, 4, (n - k + 1) / 2, cudaMemcpyHostToDevice, w.s[k]);
  }
  cudaDeviceSynchronize();
  w.down(w.s[0], w.d_in);
  cudaStreamSynchronize(w.s[0]);
  w.expect(1);
}

void counter(World& w) {
  for (int k = 0; k < 3; ++k) count_up<<<8, 64, 0, w.s[k]>>>(w.d_out);
  cudaDeviceSynchronize();
  int got = 0;
  cudaMemcpy(&got, w.d_out, sizeof got, cudaMemcpyDeviceToHost);
  w.ok = got == 3 * 512;
}

void shared_input(World& w) {
  w.up(w.s[0]);
  cudaStreamSynchronize(w.s[0]);
  w.run(w.s[1], w.d_in, w.d_mid, 1);
  w.run(w.s[2], w.d_in, w.d_out, 2);
  w.down(w.s[2]);
  cudaStreamSynchronize(w.s[2]);
  w.expect(3);
}

void host_asks(World& w) {
  w.up(w.s[0]);
  while (cudaStreamQuery(w.s[0]) == cudaErrorNotReady) {
  }
  w.run(w.s[1], w.d_in, w.d_out);
  cudaEventRecord(w.e[0], w.s[1]);
  while (cudaEventQuery(w.e[0]) == cudaErrorNotReady) {
  }
  w.down(w.s[2]);
  cudaStreamSynchronize(w.s[2]);
  w.expect(2);
}

// The default stream waits for streams that are not non-blocking, and they for it.
void legacy(World& w, unsigned flags) {
  cudaStream_t a{}, b{};
  cudaStreamCreateWithFlags(&a, flags);
  cudaStreamCreateWithFlags(&b, flags);
  w.up(a);
  w.run(nullptr, w.d_in, w.d_out);
  w.down(b);
  cudaStreamSynchronize(b);
  w.expect(2);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}

void destroyed(World& w) {
  cudaStream_t a{};
  cudaStreamCreate(&a);
  w.up(a);
  cudaStreamDestroy(a);
  w.run(nullptr, w.d_in, w.d_out);
  cudaMemcpy(w.h_out, w.d_out, bytes, cudaMemcpyDeviceToHost);
  w.expect(2);
}

// One thread waits for the copy, another one launches.
void two_threads(World& w) {
  std::mutex mutex;
  std::condition_variable changed;
  bool there = false;
  w.up(w.s[0]);
  std::thread waits([&] {
    cudaStreamSynchronize(w.s[0]);
    const std::lock_guard lock(mutex);
    there = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return there; });
  }
  w.run(w.s[1], w.d_in, w.d_out);
  w.down(w.s[1]);
  cudaStreamSynchronize(w.s[1]);
  waits.join();
  w.expect(2);
}

// A function of the host fills the source, in the stream; another one tells that the copy back is done.
void host_functions(World& w) {
  struct Shared {
    World* w;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
  } shared{&w};
  cudaLaunchHostFunc(
      w.s[0], [](void* p) { static_cast<Shared*>(p)->w->fill(50); }, &shared);
  w.up(w.s[0]);
  w.run(w.s[0], w.d_in, w.d_out);
  w.down(w.s[0]);
  const auto tell = [](void* p) {
    auto& s = *static_cast<Shared*>(p);
    const std::lock_guard lock(s.mutex);
    s.done = true;
    s.changed.notify_one();
  };
  cudaLaunchHostFunc(w.s[0], tell, &shared);
  std::unique_lock lock(shared.mutex);
  shared.changed.wait(lock, [&] { return shared.done; });
  w.expect(51);
  cudaStreamSynchronize(w.s[0]);  // or `shared` goes while the function still holds its lock
}

void stream_ordered(World& w, bool waits_for_memory, bool waits_for_use) {
  int* d = nullptr;
  w.up(w.s[0]);
  cudaMallocAsync(&d, bytes, w.s[0]);
  if (waits_for_memory)
    w.edge(0, w.s[0], w.s[1]);
  else
    cudaEventRecord(w.e[0], w.s[0]);
  if (!waits_for_memory) cudaMemsetAsync(d, 0, bytes, w.s[1]);
  if (waits_for_memory) w.run(w.s[1], w.d_in, d);
  if (waits_for_use) w.edge(1, w.s[1], w.s[0]);
  cudaFreeAsync(d, w.s[0]);
  cudaDeviceSynchronize();
  w.ok = cudaGetLastError() == cudaSuccess;
}

void event_before_record(World& w) {
  cudaStreamWaitEvent(w.s[1], w.e[0], 0);
  w.up(w.s[0]);
  cudaEventRecord(w.e[0], w.s[0]);
  w.run(w.s[1], w.d_in, w.d_out);
  w.down(w.s[1]);
  cudaStreamSynchronize(w.s[1]);
  w.expect(2);
}

// One event stands for two edges; its second record hides the first.
void one_event(World& w) {
  w.up(w.s[0]);
  cudaEventRecord(w.e[0], w.s[0]);
  cudaMemsetAsync(w.d_mid, 0, bytes, w.s[2]);
  cudaEventRecord(w.e[0], w.s[2]);
  cudaStreamWaitEvent(w.s[1], w.e[0], 0);
  w.run(w.s[1], w.d_in, w.d_out);
  w.down(w.s[1]);
  cudaStreamSynchronize(w.s[1]);
  w.expect(2);
}

void refilled_early(World& w, bool waits) {
  w.up(w.s[0]);
  if (waits) cudaStreamSynchronize(w.s[0]);
  w.fill(500);
  w.run(w.s[0], w.d_in, w.d_out);
  w.down(w.s[0]);
  cudaStreamSynchronize(w.s[0]);
  w.expect(2);
}

void two_writers(World& w) {
  w.up(w.s[0]);
  cudaStreamSynchronize(w.s[0]);
  w.run(w.s[1], w.d_in, w.d_out, 1);
  w.run(w.s[2], w.d_in, w.d_out, 2);
  cudaDeviceSynchronize();
  w.down(w.s[0]);
  cudaStreamSynchronize(w.s[0]);
  w.expect(3);
}

void read_back_early(World& w) {
  w.up(w.s[0]);
  w.run(w.s[0], w.d_in, w.d_out);
  w.down(w.s[0]);
  w.expect(2);
  cudaStreamSynchronize(w.s[0]);
}

const std::map<std::string, void (*)(World&)> programs{
    {"right_pipeline", [](World& w) { pipeline(w, true, true, true, true); }},
    {"right_halves", [](World& w) { halves(w, 0); }},
    {"right_columns", columns},
    {"right_counter", counter},
    {"right_shared_input", shared_input},
    {"right_host_asks", host_asks},
    {"right_legacy", [](World& w) { legacy(w, cudaStreamDefault); }},
    {"right_destroyed", destroyed},
    {"right_two_threads", two_threads},
    {"right_host_functions", host_functions},
    {"right_stream_ordered", [](World& w) { stream_ordered(w, true, true); }},
    {"right_refilled", [](World& w) { refilled_early(w, true); }},
    {"no_copied", [](World& w) { pipeline(w, false, true, true, true); }},
    {"no_used", [](World& w) { pipeline(w, true, false, true, true); }},
    {"no_done", [](World& w) { pipeline(w, true, true, false, true); }},
    {"no_drained", [](World& w) { pipeline(w, true, true, true, false); }},
    {"overlapping_halves", [](World& w) { halves(w, 1); }},
    {"nonblocking_legacy", [](World& w) { legacy(w, cudaStreamNonBlocking); }},
    {"freed_in_flight", [](World& w) { stream_ordered(w, true, false); }},
    {"memory_of_another_stream", [](World& w) { stream_ordered(w, false, true); }},
    {"event_before_record", event_before_record},
    {"one_event", one_event},
    {"refilled_early", [](World& w) { refilled_early(w, false); }},
    {"two_writers", two_writers},
    {"read_back_early", read_back_early},
};

}  // namespace

int main(int count, char** arguments) {
  const auto program = count >= 2 ? programs.find(arguments[1]) : programs.end();
  if (program == programs.end()) return 2;
  static const auto schedule = WORKBOOK_HANDSHAKE(wbSchedule);
  static const auto region = WORKBOOK_HANDSHAKE(wbRegion);
  struct Kind {
    const char* name;
    int kind, number;
  };
  // Streams are numbered by creation, three in each world.
  int made = 0;
  const auto once = [&](const std::string& name, int kind, long long number) {
    if (count > 2 && name != arguments[2]) return;
    World w;
    region(name.c_str(), 1);
    schedule(kind, kind == 3 ? (number < 0 ? 0 : made + 1 + number) : number);
    program->second(w);
    cudaDeviceSynchronize();
    schedule(0, 0);
    region(name.c_str(), 0);
    std::printf("%s %d\n", name.c_str(), w.ok ? 1 : 0);
    made += 3;
    if (program->first.find("legacy") != std::string::npos) made += 2;
    if (program->first == "right_destroyed") made += 1;
  };
  once("modelled", 0, 0);
  once("early", 1, 0);
  once("late", 2, 0);
  for (int stream = -1; stream < 3; ++stream) once("first" + std::to_string(stream), 3, stream);
  for (int lot = 1; lot <= 4; ++lot) once("lot" + std::to_string(lot), 4, lot);
  return 0;
}
