// What is ordered before what, and in which order the device takes what is not ordered.
//
// Every operation has a place in its stream (1, 2, ...) and an `Ordered`: for each stream the last place that
// is certain to be done before it begins. It knows what its stream held, what its events and the legacy
// stream's rules made it wait for, and what the host knew when it made the call. The host knows what it has
// waited for, or asked about and been told that it is done. All host threads share one knowledge: what one of
// them has waited for, the others are taken to have been told. That errs on the side of silence.
//
// Of what is not ordered, CUDA promises nothing, and a GPU mostly does it in the order of the calls. A
// `Schedule` is another order that CUDA allows:
//
//   modelled   the order and the times of the model
//   early      every operation is done before the call that asked for it returns
//   late       an operation is done when a host thread waits for it, or for something that depends on it,
//              and at the latest `latest_ns` after its call; of several that are waited for, the one called
//              last goes first
//   first      one stream as early as it can (with all it depends on), every other one late
//   seeded     a coin for each operation, early or late, and a lot for whose turn it is
//
// Let a and b be operations of two streams with no order between them. In the schedule that puts a's stream
// first, a is done before b; in the one that puts b's stream first, b before a. So a program with k streams
// needs k runs to see each such pair in both orders. Under a schedule other than the modelled one operations
// take no time and are done one after another; times mean nothing then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace workbook::cudart {

class Ordered {
 public:
  // Place `place` of stream `stream` is done before.
  bool covers(int stream, std::uint64_t place) const {
    const auto at = static_cast<std::size_t>(stream);
    return at < places_.size() && places_[at] >= place;
  }
  void add(int stream, std::uint64_t place) {
    const auto at = static_cast<std::size_t>(stream);
    if (at >= places_.size()) places_.resize(at + 1, 0);
    places_[at] = std::max(places_[at], place);
  }
  void join(const Ordered& other) {
    if (places_.size() < other.places_.size()) places_.resize(other.places_.size(), 0);
    for (std::size_t i = 0; i < other.places_.size(); ++i)
      places_[i] = std::max(places_[i], other.places_[i]);
  }

 private:
  std::vector<std::uint64_t> places_;  // by stream number
};

struct Schedule {
  enum class Kind : std::uint8_t { modelled, early, late, first, seeded };
  Kind kind = Kind::modelled;
  int stream = 0;          // first: the number of the one that goes first
  std::uint64_t seed = 0;  // seeded

  bool adversarial() const { return kind != Kind::modelled; }
};

inline constexpr std::int64_t latest_ns = 100'000'000;  // how long an operation is held back at most
inline constexpr int most_questions = 64;               // a host that asks so often is answered

}  // namespace workbook::cudart
