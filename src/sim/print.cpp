#include "sim/print.h"

#include <bit>
#include <cstdio>
#include <cstring>

namespace workbook::sim {

namespace {

struct Cursor {
  const PrintSource& source;
  std::uint32_t offset = 0;
  int used = 0;
  std::uint64_t next(std::uint32_t size) {
    offset = (offset + size - 1) / size * size;
    const std::uint64_t v = source.value(offset, size);
    offset += size;
    ++used;
    return v;
  }
};

// One conversion, with the host's printf doing the work. `spec` is without its length modifiers.
template <class T>
void append(std::string& out, const std::string& spec, T value) {
  char small[256];
  const int n = std::snprintf(small, sizeof small, spec.c_str(), value);
  if (n < 0) return;
  if (static_cast<std::size_t>(n) < sizeof small) {
    out.append(small, static_cast<std::size_t>(n));
    return;
  }
  std::string big(static_cast<std::size_t>(n) + 1, '\0');
  std::snprintf(big.data(), big.size(), spec.c_str(), value);
  out.append(big.data(), static_cast<std::size_t>(n));
}

void convert(std::string& out, std::string spec, char kind, int longs, int shorts, Cursor& args) {
  const bool wide = longs > 0;
  switch (kind) {
    case 'd':
    case 'i': {
      std::int64_t v =
          wide ? static_cast<std::int64_t>(args.next(8)) : static_cast<std::int32_t>(args.next(4));
      if (shorts == 1) v = static_cast<std::int16_t>(v);
      if (shorts == 2) v = static_cast<std::int8_t>(v);
      append(out, spec + "ll" + kind, static_cast<long long>(v));
      return;
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      std::uint64_t v = wide ? args.next(8) : args.next(4) & 0xffffffffu;
      if (shorts == 1) v &= 0xffffu;
      if (shorts == 2) v &= 0xffu;
      append(out, spec + "ll" + kind, static_cast<unsigned long long>(v));
      return;
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      append(out, spec + kind, std::bit_cast<double>(args.next(8)));
      return;
    case 'c':
      append(out, spec + kind, static_cast<int>(args.next(4)));
      return;
    case 's':
      append(out, spec + kind, args.source.string(args.next(8)).c_str());
      return;
    case 'p':
      append(out, spec + kind, reinterpret_cast<void*>(args.next(8)));
      return;
    default:
      out += spec + kind;
      return;  // unknown conversions are printed as they stand
  }
}

}  // namespace

int format_print(const std::string& format, const PrintSource& source, std::string& out) {
  Cursor args{source};
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      out += '%';
      ++i;
      continue;
    }
    // A device has no z, j and t, and shows what it doesn't know as it stands ("%zu" on an H200, 2026-12-01).
    if (const std::size_t at = format.find_first_not_of("-+ #0123456789.*", i + 1);
        at != format.npos && std::strchr("zjt", format[at]) != nullptr) {
      out += '%';
      continue;
    }
    std::string spec = "%";
    int longs = 0, shorts = 0;
    for (++i; i < format.size() && std::strchr("-+ #0123456789.*hlL", format[i]) != nullptr; ++i) {
      const char c = format[i];
      if (c == 'l')
        ++longs;
      else if (c == 'h')
        ++shorts;
      else if (c == '*')
        spec += std::to_string(static_cast<std::int32_t>(args.next(4)));
      else if (c != 'L')
        spec += c;
    }
    if (i < format.size()) convert(out, spec, format[i], longs, shorts, args);
  }
  return args.used;
}

}  // namespace workbook::sim
