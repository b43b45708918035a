#include "harness/judge/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "harness/judge/options.h"
#include "harness/protocol.h"
#include "trace/reader.h"

namespace workbook::judge {

namespace {

using protocol::Head;

constexpr double simulated_seconds = 60, gpu_seconds = 20;

struct Kept {
  std::unique_ptr<Process> process;
  std::vector<std::string> environment;  // that this run asked for
  std::size_t trace_read = 0;            // bytes of its trace that belong to earlier runs
  trace::Header header;
};
Kept& kept() {
  static Kept instance;
  return instance;
}

void pass_on(std::vector<std::string>& variables, const char* name) {
  if (const char* value = std::getenv(name)) variables.push_back(fmt::format("{}={}", name, value));
}

// Nothing but this list reaches the learner's program.
std::vector<std::string> environment_of_runner(const Request& request) {
  const Options& o = options();
  std::vector<std::string> variables;
  for (const char* name : {"PATH", "HOME", "LANG", "TMPDIR", "CUDA_CACHE_PATH", "CUDA_CACHE_DISABLE",
                           "CUDA_CACHE_MAXSIZE", "CUDA_MODULE_LOADING", "WORKBOOK_ADDR2LINE"})
    pass_on(variables, name);
  std::string libraries = o.cudart_dir;
  if (!o.simulated) {
    pass_on(variables, "CUDA_VISIBLE_DEVICES");
    pass_on(variables, "CUDA_DEVICE_ORDER");
    // The driver's library may lie where only this variable says.
    if (const char* inherited = std::getenv("LD_LIBRARY_PATH"); inherited != nullptr && *inherited != '\0')
      libraries += (libraries.empty() ? "" : ":") + std::string(inherited);
  }
  if (!libraries.empty()) variables.push_back("LD_LIBRARY_PATH=" + libraries);
  variables.push_back(fmt::format("WORKBOOK_EXPECT={}", o.simulated ? "simulated" : "gpu"));
  variables.push_back("WORKBOOK_PROFILE=" + o.profile);
  variables.push_back(fmt::format("WORKBOOK_SEED={}", o.seed));
  variables.push_back("WORKBOOK_QUIET=1");
  if (!o.nvtx_library.empty()) variables.push_back("NVTX_INJECTION64_PATH=" + o.nvtx_library);
  // An endless kernel shall end in seconds; no exercise needs a tenth of this.
  variables.push_back("WORKBOOK_INSTRUCTION_BUDGET=50000000");
  // What the run asks for replaces what was passed on: of two entries, programs see the first.
  variables.insert(variables.begin(), request.environment.begin(), request.environment.end());
  return variables;
}

void put(int fd, const void* data, std::size_t bytes, std::size_t offset) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = pwrite(fd, from, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      throw std::runtime_error(fmt::format("cannot write the request: {}", std::strerror(errno)));
    from += written;
    offset += static_cast<std::size_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

std::size_t lay_out(Request& request) {
  std::size_t offset = 0;
  for (Item& item : request.items) {
    item.offset = offset;
    offset += protocol::aligned(item.bytes());
  }
  return offset;
}

Fd build_request(const Request& request, std::size_t blob_bytes, std::array<std::uint64_t, 2> nonce) {
  nlohmann::json items = nlohmann::json::array();
  for (const Item& item : request.items) {
    items.push_back({{"name", item.name},
                     {"mode", std::string(1, item.mode)},
                     {"element", item.element},
                     {"count", item.count},
                     {"offset", item.offset}});
  }
  const std::string text =
      nlohmann::json{{"driver", request.driver},
                     {"items", items},
                     {"schedule", {static_cast<int>(request.schedule.kind), request.schedule.number}}}
          .dump();
  Head head;
  head.magic = protocol::request_magic;
  head.nonce = nonce;
  head.json_bytes = text.size();
  head.blob_offset = protocol::aligned(sizeof head + text.size());
  head.blob_bytes = blob_bytes;
  Fd file = memory_file("workbook-request", head.blob_offset + blob_bytes);
  put(file.get(), &head, sizeof head, 0);
  put(file.get(), text.data(), text.size(), sizeof head);
  for (const Item& item : request.items)
    put(file.get(), item.data.data(), item.data.size(), head.blob_offset + item.offset);
  fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
  return file;
}

Fd build_response(std::size_t blob_bytes) {
  const std::size_t blob_offset = protocol::aligned(sizeof(Head) + protocol::json_room);
  Fd file = memory_file("workbook-response", blob_offset + blob_bytes + protocol::result_room);
  Head head;
  head.magic = protocol::response_magic;
  head.blob_offset = blob_offset;
  head.blob_bytes = blob_bytes;
  put(file.get(), &head, sizeof head, 0);
  fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return file;
}

// Copies everything out before it looks at it: on a GPU the runner still lives and could change it.
void read_response(int fd, std::size_t blob_bytes, std::array<std::uint64_t, 2> nonce, Answer& answer) {
  const std::size_t blob_offset = protocol::aligned(sizeof(Head) + protocol::json_room);
  Head head;
  if (pread(fd, &head, sizeof head, 0) != sizeof head) return;
  if (head.magic != protocol::response_magic || head.complete != 1 || head.nonce != nonce) return;
  if (head.json_bytes > protocol::json_room || head.blob_bytes < blob_bytes ||
      head.blob_bytes > blob_bytes + protocol::result_room)
    return;
  std::string text(head.json_bytes, '\0');
  if (pread(fd, text.data(), text.size(), sizeof head) != static_cast<ssize_t>(text.size())) return;
  auto response = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!response.is_object()) return;
  answer.blob.resize(head.blob_bytes);
  for (std::size_t done = 0; done < answer.blob.size();) {
    const ssize_t got = pread(fd, answer.blob.data() + done, answer.blob.size() - done,
                              static_cast<off_t>(blob_offset + done));
    if (got <= 0) return;
    done += static_cast<std::size_t>(got);
  }
  answer.response = std::move(response);
  answer.complete = true;
}

// How much the learner's code gave the device to do in this trace, and how long it ran on the host.
using Work = std::pair<std::int64_t, std::int64_t>;
Work work_in_regions(const std::vector<trace::Event>& events) {
  std::int64_t device = 0, host = 0;
  int open = 0;
  for (const trace::Event& event : events) {
    if (event.kind == trace::EventKind::note && event.name == "region") {
      const bool begin = event.detail_json.find("true") != std::string::npos;
      host += begin ? -event.host_begin_ns : event.host_begin_ns;
      open += begin ? 1 : -1;
    } else if (open > 0 && event.device_begin_ns >= 0) {
      device += event.device_end_ns - event.device_begin_ns;
    }
  }
  return {device, host};
}

// The run with most work for the device says most about an exercise's time; `text` is its trace with a
// header.
void keep_trace(const std::string& text, const std::vector<trace::Event>& events) {
  static Work most{};
  const Work work = work_in_regions(events);
  if (options().keep_trace.empty() || work <= most) return;
  most = work;
  std::ofstream(options().keep_trace, std::ios::binary) << text;
}

void read_trace(Kept& session, Answer& answer) {
  struct stat facts {};
  fstat(session.process->trace(), &facts);
  const auto size = static_cast<std::size_t>(facts.st_size);
  std::string text(size > session.trace_read ? size - session.trace_read : 0, '\0');
  const ssize_t got =
      pread(session.process->trace(), text.data(), text.size(), static_cast<off_t>(session.trace_read));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  try {
    // A later part of a kept runner's trace has no header of its own.
    const bool first = session.trace_read == 0;
    const std::string header = first ? "" : trace::to_json(session.header).dump() + "\n";
    auto file = trace::parse_trace(header + text);
    if (file.has_header) session.header = file.header;
    answer.header = session.header;
    answer.events = std::move(file.events);
    // A kernel's line is written when the kernel has ended; its number says when it was launched.
    std::stable_sort(answer.events.begin(), answer.events.end(),
                     [](const trace::Event& a, const trace::Event& b) { return a.id < b.id; });
    keep_trace(header + text, answer.events);
  } catch (const std::exception& error) {
    answer.trace_trouble = error.what();
  }
  session.trace_read += text.size();
}

}  // namespace

const Item* Request::find(const std::string& name) const {
  for (const Item& item : items) {
    if (item.name == name) return &item;
  }
  return nullptr;
}

Answer run_once(Request& request) {
  Kept& session = kept();
  Answer answer;
  answer.limit_seconds = request.seconds > 0   ? request.seconds
                         : options().simulated ? simulated_seconds
                                               : gpu_seconds;
  const std::size_t blob_bytes = lay_out(request);
  std::array<std::uint64_t, 2> nonce{};
  if (getrandom(nonce.data(), sizeof nonce, 0) != sizeof nonce)
    throw std::runtime_error("no random numbers from the system");
  const Fd question = build_request(request, blob_bytes, nonce);
  const Fd response = build_response(blob_bytes);

  // A process whose environment is another can't serve.
  if (session.process && session.environment != request.environment) session.process.reset();
  if (!session.process) {
    session.environment = request.environment;
    const double cores = std::max(1u, std::thread::hardware_concurrency());
    session.trace_read = 0;
    session.header = {};
    const Limits limits{.cpu_seconds = (answer.limit_seconds + 10) * cores * (options().simulated ? 1 : 100)};
    session.process = std::make_unique<Process>(options().runner, environment_of_runner(request), limits);
  }
  answer.outcome = session.process->exchange(question.get(), response.get(), answer.limit_seconds);
  const bool answered = answer.outcome.ending == Ending::answered;
  const bool keep = answered && !options().simulated && answer.outcome.answer == protocol::answer_ready;
  if (answered && !keep) session.process->finish(2.0);
  if (answered) read_response(response.get(), blob_bytes, nonce, answer);
  read_trace(session, answer);
  answer.printed = session.process->printed();
  answer.printed_bytes = session.process->printed_bytes();
  if (!keep) session.process.reset();
  return answer;
}

void close_session() {
  kept().process.reset();
}

}  // namespace workbook::judge
