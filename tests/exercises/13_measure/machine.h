// A machine that measures badly, made of random numbers: what a comparison has to stand up to.
//
// Each sample takes the time of what is sampled, times the machine's drift, times a little noise; now and
// then there is bad luck, and now and then a sample is too short. Everything follows from the seed.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>

namespace measure {

constexpr double drift = 0.30;      // between the machine at its best and at its worst
constexpr int drift_samples = 60;   // it takes that many samples from one to the other
constexpr double jitter = 0.005;    // standard deviation
constexpr double unlucky = 0.06;    // share of samples that take longer: half as long again, in the mean
constexpr double too_short = 0.03;  // share of samples that are a fifth too short

class Machine {
 public:
  explicit Machine(std::uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15u + 1) {
    random_.discard(16);
    shape_ = static_cast<int>(seed % 4);
    start_ = std::uniform_real_distribution<double>(0, drift_samples)(random_);
  }

  // The time of a sample that takes `us` on this machine at its best. `who`: 'A' or 'B'.
  double sample(char who, double us) {
    const double now = us * drift_now() * std::exp(jitter * std::normal_distribution<double>()(random_));
    const double luck = std::uniform_real_distribution<double>(0, 1)(random_);
    const double long_tail = std::exponential_distribution<double>(2)(random_);
    order_ += who;
    return luck < unlucky ? now * (1 + long_tail) : luck > 1 - too_short ? now * 0.8 : now;
  }
  const std::string& order() const { return order_; }  // "ABBAAB"

 private:
  double drift_now() const {
    const double i = static_cast<double>(order_.size());
    const double along = std::fmin(1.0, i / drift_samples);
    switch (shape_) {
      case 0:
        return 1 + drift * along;  // gets hot
      case 1:
        return 1 + drift * (1 - along);  // is left alone by somebody
      case 2:
        return 1 + drift * (i < start_ ? 0 : 1);  // somebody comes
      default:
        return 1 + drift * std::fmod((i + start_) / drift_samples, 1.0);  // hot, throttled, cool again
    }
  }
  std::mt19937_64 random_;
  int shape_ = 0;
  double start_ = 0;
  std::string order_;
};

}  // namespace measure
