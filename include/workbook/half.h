// Half precision on the host, for checks: the 16 bits of a __half to a float, and back, as the device rounds.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace workbook {

using HalfBits = std::uint16_t;  // of a __half: sign, 5 of exponent, 10 of fraction

// The float with the value of a half; exact.
inline float half_to_float(HalfBits h) {
  const int exponent = (h >> 10) & 31, fraction = h & 1023;
  const float sign = (h & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return fraction != 0 ? std::nanf("") : sign * HUGE_VALF;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
}

// The distance between neighbouring halves near x; for zero and what is smaller than any normal half, that of
// the smallest ones.
inline double half_ulp(double x) {
  const double size = std::fabs(x);
  if (!(size >= std::ldexp(1.0, -14))) return std::ldexp(1.0, -24);
  return std::ldexp(1.0, std::ilogb(size) - 10);
}

// To the nearest half, ties to even; beyond the largest, infinity.
inline HalfBits half_from(double x) {
  const HalfBits sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return 0x7fff;
  const double steps = std::nearbyint(std::fabs(x) / half_ulp(x));  // exact: a division by a power of two
  if (std::isinf(x) || steps * half_ulp(x) > 65504.0) return static_cast<HalfBits>(sign | 0x7c00);
  // Rounding up to the next power of two carries into the exponent by itself.
  const int exponent = std::fabs(x) >= std::ldexp(1.0, -14) ? std::ilogb(x) + 15 : 0;
  const int bits =
      exponent == 0 ? static_cast<int>(steps) : (exponent << 10) + static_cast<int>(steps) - 1024;
  return static_cast<HalfBits>(sign | bits);
}

}  // namespace workbook
