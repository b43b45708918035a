#include "grader/gpu_turn.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "grader/files.h"

namespace workbook::grader {

namespace {

struct Taken {
  std::mutex guard;
  std::condition_variable free;
  std::set<std::string> gpus;  // by threads of this process
};
Taken& taken() {
  static Taken instance;
  return instance;
}

// -1 when another process holds it. A folder that cannot be written gives no lock and no error: then only
// this process is in order.
int try_lock(const std::string& uuid, bool& possible) {
  std::error_code ignored;
  const fs::path path = fs::temp_directory_path(ignored) / ("workbook-" + uuid + ".lock");
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  possible = fd >= 0;
  if (fd < 0) return -1;
  ::fchmod(fd, 0666);  // for other users too; fails when it is theirs, which is fine
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  ::close(fd);
  return -1;
}

}  // namespace

GpuTurn::GpuTurn(const std::vector<std::string>& uuids) {
  const std::vector<std::string> wanted = uuids.empty() ? std::vector<std::string>{""} : uuids;
  Taken& t = taken();
  for (;;) {
    {
      std::unique_lock lock(t.guard);
      const auto free = [&] {
        return std::any_of(wanted.begin(), wanted.end(),
                           [&](const auto& gpu) { return !t.gpus.contains(gpu); });
      };
      t.free.wait(lock, free);
      for (const auto& gpu : wanted) {
        if (t.gpus.contains(gpu)) continue;
        bool possible = false;
        if (!gpu.empty()) lock_ = try_lock(gpu, possible);
        if (possible && lock_ < 0) continue;  // another process measures
        t.gpus.insert(gpu);
        uuid_ = gpu;
        return;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

GpuTurn::~GpuTurn() {
  {
    const std::lock_guard lock(taken().guard);
    taken().gpus.erase(uuid_);
  }
  if (lock_ >= 0) ::close(lock_);
  taken().free.notify_all();
}

}  // namespace workbook::grader
