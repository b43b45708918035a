// Whose turn it is on a GPU: times mean nothing when two programs share one, so everybody who measures takes
// a lock first. The locks are files named by the GPU's UUID in the system's temporary folder, and hold
// between processes and users; the system gives a lock back when its holder dies.
#pragma once

#include <string>
#include <vector>

namespace workbook::grader {

class GpuTurn {
 public:
  // Waits for one of these GPUs. With none named it only waits for the other threads of this process.
  explicit GpuTurn(const std::vector<std::string>& uuids);
  ~GpuTurn();
  GpuTurn(const GpuTurn&) = delete;
  GpuTurn& operator=(const GpuTurn&) = delete;

  const std::string& uuid() const { return uuid_; }  // empty: whichever the runtime takes

 private:
  std::string uuid_;
  int lock_ = -1;
};

}  // namespace workbook::grader
