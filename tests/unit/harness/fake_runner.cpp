// A runner that misbehaves as its environment says; it knows the protocol but no CUDA.
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "harness/protocol.h"
#include "trace/seal.h"

namespace {

using workbook::protocol::Head;

// The request's and the response's descriptor.
bool receive(int control, int (&fds)[2]) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(2 * sizeof(int))];
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  if (recvmsg(control, &message, 0) != 1) return false;
  std::memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fds);
  return true;
}

workbook::trace::SealKey key_in(const char* variable) {
  return workbook::trace::take_seal_key(variable).value_or(workbook::trace::SealKey{});
}

void respond(int request, int response, bool right_nonce) {
  Head asked, head;
  if (pread(request, &asked, sizeof asked, 0) != sizeof asked ||
      pread(response, &head, sizeof head, 0) != sizeof head)
    std::abort();
  const std::string text = R"({"status": "ok", "results": {"pid": {"kind": "integer", "value": )" +
                           std::to_string(getpid()) + "}}}";
  head.json_bytes = text.size();
  head.nonce = asked.nonce;
  static const auto key = key_in(workbook::trace::answer_key_variable);
  head.seal = workbook::trace::seal_of(key, head.nonce[0] ^ head.nonce[1], text);
  if (!right_nonce) ++head.nonce[0];
  head.complete = 1;
  if (pwrite(response, text.data(), text.size(), sizeof head) < 0 ||
      pwrite(response, &head, sizeof head, 0) < 0)
    std::abort();
}

void leave_a_child() {
  if (fork() != 0) return;
  setsid();  // out of the group
  for (;;) pause();
}

void flood() {
  const std::string line(4096, 'x');
  for (int i = 0; i < 20000; ++i) {
    if (write(1, line.data(), line.size()) < 0) return;
  }
}

// As the simulated runtime writes it: a kernel's line comes when the kernel has ended.
void trace_out_of_order(bool forged) {
  const auto key = key_in(workbook::trace::trace_key_variable);
  std::string lines;
  std::uint64_t number = 0;
  for (const char* line : {R"({"schema": "workbook-trace/1", "device": "simulated"})",
                           R"({"kind": "sync", "id": 2})", R"({"kind": "kernel", "id": 1})"})
    lines += workbook::trace::sealed_line(key, number++, line);
  if (forged) lines += "{\"kind\": \"kernel\", \"id\": 3}\n";
  if (write(std::atoi(std::getenv("WORKBOOK_TRACE_FD")), lines.data(), lines.size()) < 0) std::abort();
}

}  // namespace

int main() {
  const char* path = std::getenv("HOME");  // what to do; the only variable that a test can set at will
  const std::string what = path == nullptr ? "" : path;
  const int control = std::atoi(std::getenv("WORKBOOK_CONTROL_FD"));
  int fds[2];
  while (receive(control, fds)) {
    if (what == "hang")
      for (;;) pause();
    if (what == "spin")
      for (;;) {
      }
    if (what == "crash") std::raise(SIGSEGV);
    if (what == "abort") std::abort();
    if (what == "exit") _exit(0);
    if (what == "flood") flood();
    if (what == "trace" || what == "forge") trace_out_of_order(what == "forge");
    if (what == "child") leave_a_child();
    if (what == "memory")
      std::memset(std::malloc(std::size_t{400} << 20), 1, std::size_t{400} << 20), pause();
    if (what == "close") close(control);
    if (what == "print") std::fputs("PASSED all tests\n", stdout), std::fflush(stdout);
    if (what == "environment") {
      for (char** entry = environ; *entry != nullptr; ++entry) std::puts(*entry);
      std::fflush(stdout);
    }
    if (what != "silent") respond(fds[0], fds[1], what != "nonce");
    const char answer = workbook::protocol::answer_ready;
    if (send(control, &answer, 1, MSG_NOSIGNAL) != 1) return 3;
  }
  return 0;
}
