#include "harness/runner/exchange.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "trace/seal.h"

namespace workbook::runner {

using protocol::Head;

namespace {

// Plain data, written before the learner's first static constructor runs (trace/seal.h).
constinit trace::SealKey answer_key{};
__attribute__((constructor(101))) void take_key_early() {
  if (const auto key = trace::take_seal_key(trace::answer_key_variable)) answer_key = *key;
  // In a class's grading /proc/self/mem, a way past read-only pages, and /proc/self/fd, a way to the record
  // of what happened, become root's.
  if (std::getenv("WORKBOOK_CLOSED") != nullptr) prctl(PR_SET_DUMPABLE, 0);
}

std::byte* map_file(int fd, int protection, int flags, std::size_t& bytes) {
  struct stat facts {};
  if (fstat(fd, &facts) != 0) throw GraderError{"the request is not a file"};
  bytes = static_cast<std::size_t>(facts.st_size);
  void* address = mmap(nullptr, bytes, protection, flags, fd, 0);
  if (address == MAP_FAILED)
    throw GraderError{std::string("the request cannot be mapped: ") + std::strerror(errno)};
  return static_cast<std::byte*>(address);
}

}  // namespace

Exchange::Exchange(int request, int response) {
  request_ = map_file(request, PROT_READ, MAP_PRIVATE, request_bytes_);
  response_ = map_file(response, PROT_READ | PROT_WRITE, MAP_SHARED, response_bytes_);
  close(request);
  close(response);
  parse();
}

Exchange::~Exchange() {
  munmap(const_cast<std::byte*>(request_), request_bytes_);
  munmap(response_, response_bytes_);
}

void Exchange::parse() {
  const auto& head = *reinterpret_cast<const Head*>(request_);
  if (request_bytes_ < sizeof head || head.magic != protocol::request_magic)
    throw GraderError{"judge and runner are of different versions: build both anew"};
  const auto* text = reinterpret_cast<const char*>(request_) + sizeof head;
  const auto json = nlohmann::json::parse(text, text + head.json_bytes);
  driver_ = json.at("driver").get<std::string>();
  if (const auto schedule = json.find("schedule"); schedule != json.end()) {
    schedule_kind_ = schedule->at(0).get<int>();
    schedule_number_ = schedule->at(1).get<long long>();
  }
  for (const auto& entry : json.at("items")) {
    items_.push_back({entry.at("name").get<std::string>(), entry.at("mode").get<std::string>().at(0),
                      entry.at("element").get<std::size_t>(), entry.at("count").get<std::size_t>(),
                      entry.at("offset").get<std::size_t>()});
  }
  used_ = head.blob_bytes;
}

const Item* Exchange::find(std::string_view name) const {
  for (const Item& item : items_) {
    if (item.name == name) return &item;
  }
  return nullptr;
}

const std::byte* Exchange::data(const Item& item) const {
  return request_ + reinterpret_cast<const Head*>(request_)->blob_offset + item.offset;
}

std::byte* Exchange::output(const Item& item) {
  return response_ + reinterpret_cast<const Head*>(response_)->blob_offset + item.offset;
}

std::size_t Exchange::append(const void* data, std::size_t bytes) {
  const std::size_t offset = protocol::aligned(used_);
  const std::size_t blob = reinterpret_cast<const Head*>(response_)->blob_offset;
  if (bytes > response_bytes_ - blob || offset > response_bytes_ - blob - bytes)
    throw GraderError{"the results are larger than the response has room for"};
  if (bytes > 0) std::memcpy(response_ + blob + offset, data, bytes);
  used_ = offset + bytes;
  return offset;
}

void Exchange::complete(const nlohmann::json& response) {
  auto& head = *reinterpret_cast<Head*>(response_);
  std::string text = response.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > protocol::json_room)
    text =
        R"({"status": "grader_error", "text": "the driver's results are larger than the response has room for"})";
  std::memcpy(response_ + sizeof head, text.data(), text.size());
  head.json_bytes = text.size();
  head.blob_bytes = used_;
  head.nonce = reinterpret_cast<const Head*>(request_)->nonce;
  head.seal = trace::seal_of(answer_key, head.nonce[0] ^ head.nonce[1], text);
  std::atomic_thread_fence(std::memory_order_release);
  head.complete = 1;
}

void Exchange::remark(std::uint64_t what) {
  reinterpret_cast<Head*>(response_)->remark = what;
}

bool receive(int control, int& request, int& response) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  ssize_t got = 0;
  do {
    got = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const cmsghdr* header = got == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return false;
  int fds[2];
  std::memcpy(fds, CMSG_DATA(header), sizeof fds);
  request = fds[0];
  response = fds[1];
  return true;
}

}  // namespace workbook::runner
