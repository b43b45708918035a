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

#include "harness/judge/conditions.h"
#include "harness/judge/options.h"
#include "harness/protocol.h"
#include "trace/reader.h"
#include "trace/seal.h"

namespace workbook::judge {

namespace {

using protocol::Head;

constexpr double simulated_seconds = 60, gpu_seconds = 20;
// Of one run. The longest of an exercise has a hundredth of it.
constexpr std::size_t largest_trace = std::size_t{64} << 20;

struct Kept {
  std::unique_ptr<Process> process;
  std::vector<std::string> environment;  // that this run asked for
  std::size_t trace_read = 0;            // bytes of its trace that belong to earlier runs
  std::uint64_t trace_lines = 0;
  trace::SealKey trace_key, answer_key;
  trace::Header header;
};
Kept& kept() {
  static Kept instance;
  return instance;
}

void pass_on(std::vector<std::string>& variables, const char* name) {
  if (const char* value = std::getenv(name)) variables.push_back(fmt::format("{}={}", name, value));
}

// The inputs of a secret seed must not be drawn again by the learner's program.
std::uint64_t seed_of_runner() {
  const std::uint64_t seed = options().seed;
  if (!conditions().secret_seed) return seed;
  return trace::seal_of({0x6f72646572206f66, 0x626c6f636b730000}, seed, "blocks") >> 1;
}

// Nothing but this list reaches the learner's program.
std::vector<std::string> environment_of_runner(const Kept& session, const Request& request) {
  const Options& o = options();
  std::vector<std::string> variables;
  for (const char* name : {"PATH", "LANG", "CUDA_CACHE_DISABLE", "CUDA_CACHE_MAXSIZE", "CUDA_MODULE_LOADING",
                           "WORKBOOK_ADDR2LINE", "WORKBOOK_SIM_THREADS"})
    pass_on(variables, name);
  if (conditions().isolated()) {
    variables.insert(variables.end(), {"HOME=/tmp", "TMPDIR=/tmp"});
    if (o.simulated) variables.emplace_back("WORKBOOK_CLOSED=1");  // runner/exchange.cpp
  } else {
    for (const char* name : {"HOME", "TMPDIR", "CUDA_CACHE_PATH"}) pass_on(variables, name);
  }
  variables.push_back(fmt::format("{}={}", trace::trace_key_variable, to_text(session.trace_key)));
  variables.push_back(fmt::format("{}={}", trace::answer_key_variable, to_text(session.answer_key)));
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
  variables.push_back(fmt::format("WORKBOOK_SEED={}", seed_of_runner()));
  variables.push_back("WORKBOOK_QUIET=1");
  if (!o.nvtx_library.empty()) variables.push_back("NVTX_INJECTION64_PATH=" + o.nvtx_library);
  // An endless kernel shall end in seconds; what is merely slow may take this many.
  variables.push_back("WORKBOOK_INSTRUCTION_BUDGET=100000000");
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
void read_response(int fd, std::size_t blob_bytes, std::array<std::uint64_t, 2> nonce,
                   const trace::SealKey& key, Answer& answer) {
  // The runner says that it has answered only when it has: until the end of this function it has not.
  answer.forgery = Forgery::answer;
  const std::size_t blob_offset = protocol::aligned(sizeof(Head) + protocol::json_room);
  Head head;
  if (pread(fd, &head, sizeof head, 0) != sizeof head) return;
  if (head.magic != protocol::response_magic || head.complete != 1 || head.nonce != nonce) return;
  if (head.json_bytes > protocol::json_room || head.blob_bytes < blob_bytes ||
      head.blob_bytes > blob_bytes + protocol::result_room)
    return;
  std::string text(head.json_bytes, '\0');
  if (pread(fd, text.data(), text.size(), sizeof head) != static_cast<ssize_t>(text.size())) return;
  if (head.seal != trace::seal_of(key, nonce[0] ^ nonce[1], text)) return;
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
  answer.forgery = Forgery::none;
}

// The remark of a runner that a signal ended.
bool says_stack_overflow(int fd) {
  Head head;
  return pread(fd, &head, sizeof head, 0) == sizeof head && head.remark == protocol::remark_stack_overflow;
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

// Each region of the answer has its end in the trace, or somebody kept the recorder from writing.
bool regions_end(const Answer& answer) {
  std::size_t ends = 0;
  for (const trace::Event& event : answer.events) {
    const bool end = event.kind == trace::EventKind::note && event.name == "region" &&
                     event.detail_json.find("true") == std::string::npos;
    ends += end ? 1 : 0;
  }
  return ends >= answer.response.value("regions_recorded", std::size_t{0});
}

// What the trace got since the last run; empty, with the reason, when it is too much.
std::string new_trace_text(Kept& session, Answer& answer) {
  struct stat facts {};
  fstat(session.process->trace(), &facts);
  const auto size = static_cast<std::size_t>(facts.st_size);
  std::string text(size > session.trace_read ? size - session.trace_read : 0, '\0');
  if (text.size() > largest_trace) {
    session.trace_read = size;
    answer.forgery = Forgery::flood;
    return {};
  }
  const ssize_t got =
      pread(session.process->trace(), text.data(), text.size(), static_cast<off_t>(session.trace_read));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  session.trace_read += text.size();
  return text;
}

void read_trace(Kept& session, Answer& answer) {
  // A later part of a kept runner's trace has no header of its own.
  const std::string header = session.trace_lines == 0 ? "" : trace::to_json(session.header).dump() + "\n";
  const std::string sealed = new_trace_text(session, answer);
  if (answer.forgery == Forgery::flood) return;
  const trace::Unsealed lines = unsealed(session.trace_key, session.trace_lines, sealed);
  session.trace_lines = lines.next;
  if (lines.bad_line != 0 && answer.forgery == Forgery::none) answer.forgery = Forgery::trace;
  try {
    auto file = trace::parse_trace(header + lines.text);
    if (file.has_header) session.header = file.header;
    answer.header = session.header;
    answer.events = std::move(file.events);
    // A kernel's line is written when the kernel has ended; its number says when it was launched.
    std::stable_sort(answer.events.begin(), answer.events.end(),
                     [](const trace::Event& a, const trace::Event& b) { return a.id < b.id; });
    keep_trace(header + lines.text, answer.events);
  } catch (const std::exception& error) {
    answer.trace_trouble = error.what();
  }
  if (answer.complete && answer.forgery == Forgery::none && !regions_end(answer))
    answer.forgery = Forgery::cut;
}

// The launcher of a confined run (bubblewrap with its arguments, up to "--") lets these folders through too.
void let_through(std::vector<std::string>& launcher, const std::vector<std::string>& folders) {
  const auto end = std::find(launcher.rbegin(), launcher.rend(), "--");
  if (end == launcher.rend()) return;
  std::vector<std::string> more;
  for (const std::string& folder : folders) more.insert(more.end(), {"--bind", folder, folder});
  // bubblewrap takes its arguments in order, and what makes its root read-only comes last.
  auto at = std::find(launcher.begin(), launcher.end(), "--chdir");
  if (at == launcher.end()) at = std::prev(end.base());
  launcher.insert(at, more.begin(), more.end());
}

Launch launch_of(const Kept& session, const Request& request, double limit_seconds) {
  const Conditions& c = conditions();
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  Launch launch;
  launch.program = options().runner;
  launch.variables = environment_of_runner(session, request);
  launch.launcher = c.launcher;
  let_through(launch.launcher, request.folders);
  for (const std::string& folder : request.folders) {
    if (c.uid >= 0 && ::chown(folder.c_str(), static_cast<uid_t>(c.uid), static_cast<gid_t>(c.gid)) != 0)
      throw std::runtime_error(
          fmt::format("cannot give {} to the learner's program: {}", folder, std::strerror(errno)));
  }
  launch.uid = c.uid;
  launch.gid = c.gid;
  launch.seccomp = c.seccomp;
  launch.cpu_seconds = (limit_seconds + 10) * cores * (options().simulated ? 1 : 100);
  launch.file_bytes = c.file_bytes;
  launch.memory_bytes = c.memory_bytes;
  launch.processes = c.processes;
  return launch;
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
  if (const double most = conditions().run_seconds; most > 0)
    answer.limit_seconds = std::min(answer.limit_seconds, most);
  const std::size_t blob_bytes = lay_out(request);
  std::array<std::uint64_t, 2> nonce{};
  if (getrandom(nonce.data(), sizeof nonce, 0) != sizeof nonce)
    throw std::runtime_error("no random numbers from the system");
  const Fd question = build_request(request, blob_bytes, nonce);
  const Fd response = build_response(blob_bytes);

  // A process whose environment is another can't serve.
  if (session.process && (request.fresh || session.environment != request.environment))
    session.process.reset();
  if (!session.process) {
    session.environment = request.environment;
    session.trace_read = 0;
    session.trace_lines = 0;
    session.header = {};
    session.trace_key = trace::random_seal_key();
    session.answer_key = trace::random_seal_key();
    session.process = std::make_unique<Process>(launch_of(session, request, answer.limit_seconds));
  }
  answer.outcome = session.process->exchange(question.get(), response.get(), answer.limit_seconds);
  const bool answered = answer.outcome.ending == Ending::answered;
  const bool keep =
      answered && !options().simulated && !request.fresh && answer.outcome.answer == protocol::answer_ready;
  if (answered && !keep) session.process->finish(2.0);
  if (answered) read_response(response.get(), blob_bytes, nonce, session.answer_key, answer);
  if (answer.outcome.ending == Ending::signalled) answer.stack_overflow = says_stack_overflow(response.get());
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
