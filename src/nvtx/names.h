// What the program told NVTX about itself: domains, and in each its categories and registered strings.
//
// Handles are addresses of objects that live until the end: NVTX lets a program use a handle at any time,
// also in static destructors.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace workbook::nvtx {

// A lock of our own, held for a few instructions (see hooks.h).
class SpinLock {
 public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

struct Domain {
  std::string name;
};

struct RegisteredText {
  std::string text;
};

class Names {
 public:
  static Names& get();

  // The same object for the same name, as NVTX promises; `is_new` tells whether it was made now.
  const Domain* domain(const std::string& name, bool& is_new);
  const RegisteredText* text(const Domain* domain, const std::string& text, bool& is_new);
  void name_category(const Domain* domain, std::uint32_t category, const std::string& name);
  std::string category_name(const Domain* domain, std::uint32_t category);

 private:
  SpinLock lock_;
  std::map<std::string, Domain> domains_;
  std::map<std::pair<const Domain*, std::string>, RegisteredText> texts_;
  std::map<std::pair<const Domain*, std::uint32_t>, std::string> categories_;
};

// UTF-8, from the wide characters of nvtx...W; what is no character becomes '?'.
std::string narrow(const wchar_t* text);

}  // namespace workbook::nvtx
