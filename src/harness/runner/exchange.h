// The runner's end of protocol.h: one request in, one response out.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/protocol.h"

namespace workbook::runner {

// A bug in a check or a driver: not the learner's. No std::exception, so that no code of the learner's
// catches it.
struct GraderError {
  std::string text;
};

struct Item {
  std::string name;
  char mode = 'v';
  std::size_t element = 1, count = 0, offset = 0;
  std::size_t bytes() const { return element * count; }
};

class Exchange {
 public:
  // Maps both files; throws GraderError.
  Exchange(int request, int response);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  const std::string& driver() const { return driver_; }
  int schedule_kind() const { return schedule_kind_; }
  long long schedule_number() const { return schedule_number_; }
  const std::vector<Item>& items() const { return items_; }
  const Item* find(std::string_view name) const;
  const std::byte* data(const Item& item) const;  // the judge's; sealed
  std::byte* output(const Item& item);
  // Appends bytes behind the arrays; returns their offset in the blob.
  std::size_t append(const void* data, std::size_t bytes);
  // Writes the response's JSON and marks it complete.
  void complete(const nlohmann::json& response);
  void remark(std::uint64_t what);  // safe in a signal handler

 private:
  void parse();
  std::string driver_;
  int schedule_kind_ = 0;
  long long schedule_number_ = 0;
  std::vector<Item> items_;
  const std::byte* request_ = nullptr;
  std::byte* response_ = nullptr;
  std::size_t request_bytes_ = 0, response_bytes_ = 0, used_ = 0;
};

// Waits on the control socket for the next request. False when the judge closed it.
bool receive(int control, int& request, int& response);

}  // namespace workbook::runner
