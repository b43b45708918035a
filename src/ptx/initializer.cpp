#include "ptx/initializer.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "ptx/modifiers.h"

namespace workbook::ptx {

namespace {

constexpr std::uint64_t largest_initialised = std::uint64_t{1} << 28;

class Initializer {
 public:
  Initializer(Lexer& lex, const Module& module, Variable& variable, bool open_ended)
      : lex_(lex), module_(module), variable_(variable), open_ended_(open_ended) {}

  void run() {
    if (variable_.size > largest_initialised)
      lex_.fail("an initial value for so large a variable is not supported");
    value(0);
    if (mask_byte_ != 0) lex_.fail("the bytes of an address must all be there, in order");
    if (open_ended_) variable_.size = variable_.init.size();
    variable_.init.resize(variable_.size);
  }

 private:
  void value(int depth) {
    if (!lex_.at('{')) return element();
    if (depth > 8) lex_.fail("the braces of this initial value are nested too deeply");
    lex_.next();
    if (lex_.accept('}')) return;
    do {
      if (lex_.at('}')) break;  // a comma may stand at the end
      value(depth + 1);
    } while (lex_.accept(','));
    lex_.expect('}');
  }

  void element() {
    const Token first = lex_.peek();
    const bool minus = lex_.accept('-');
    if (lex_.at_word()) {
      if (minus) lex_.fail("an address can't be negative");
      return address_element();
    }
    const Token number = lex_.peek();
    switch (number.kind) {
      case Token::Kind::integer:
      case Token::Kind::single:
      case Token::Kind::double_:
        break;
      default:
        lex_.fail(fmt::format("expected a value instead of {}", describe(number)));
    }
    lex_.next();
    if (lex_.at('(')) return masked_byte(number);
    if (mask_byte_ != 0) lex_.fail_at(first, "the bytes of an address must all be there, in order");
    append(first, bits_of(number, minus));
  }

  std::uint64_t bits_of(const Token& number, bool minus) const {
    const Type type = variable_.type;
    if (number.kind == Token::Kind::integer) {
      const std::uint64_t value = minus ? 0 - number.bits : number.bits;
      if (type == Type::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(std::int64_t(value)));
      if (type == Type::f64) return std::bit_cast<std::uint64_t>(static_cast<double>(std::int64_t(value)));
      return value;
    }
    double value = number.kind == Token::Kind::single
                       ? double{std::bit_cast<float>(static_cast<std::uint32_t>(number.bits))}
                       : std::bit_cast<double>(number.bits);
    if (minus) value = -value;
    if (size_of(type) == 8) return std::bit_cast<std::uint64_t>(value);
    if (size_of(type) < 4) lex_.fail_at(number, "a floating-point value does not fit this type");
    if (number.kind == Token::Kind::single && !minus) return number.bits;  // keeps a NaN as it is
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }

  void append(const Token& at, std::uint64_t bits) {
    const auto size = static_cast<std::size_t>(size_of(variable_.type));
    if (!open_ended_ && variable_.init.size() + size > variable_.size) {
      lex_.fail_at(at, fmt::format("more values than `{}` has room for", variable_.name));
    }
    const std::size_t at_byte = variable_.init.size();
    variable_.init.resize(at_byte + size);
    std::memcpy(variable_.init.data() + at_byte, &bits, std::min<std::size_t>(size, 8));
  }

  // `symbol`, `generic(symbol)`, each perhaps with an offset.
  Relocation address() {
    Relocation relocation;
    const bool generic = lex_.accept("generic");
    if (generic) lex_.expect('(');
    const Token name = lex_.peek();
    lex_.expect_word("a name");
    if (const auto variable = module_.variable_index.find(std::string(name.text));
        variable != module_.variable_index.end()) {
      relocation.index = variable->second;
    } else if (const auto function = module_.function_index.find(std::string(name.text));
               function != module_.function_index.end()) {
      relocation.index = function->second;
      relocation.is_function = true;
    } else if (name.text == variable_.name) {
      relocation.index = static_cast<std::uint32_t>(module_.variables.size());  // its own address
    } else {
      lex_.fail_at(name, fmt::format("`{}` is not declared", name.text));
    }
    if (generic) lex_.expect(')');
    while (lex_.at('+') || lex_.at('-')) {
      bool minus = lex_.next().punct == '-';
      while (lex_.accept('-')) minus = !minus;
      if (lex_.peek().kind != Token::Kind::integer) lex_.fail("expected a number of bytes");
      const std::uint64_t offset = lex_.next().bits;
      relocation.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(relocation.offset) +
                                                    (minus ? 0 - offset : offset));
    }
    return relocation;
  }

  void address_element() {
    const Token first = lex_.peek();
    if (size_of(variable_.type) < 8) lex_.fail("an address needs an element of 8 bytes");
    Relocation relocation = address();
    relocation.at = variable_.init.size();
    variable_.relocations.push_back(relocation);
    append(first, 0);
  }

  // `0xFF00(symbol)`: one byte of an address.
  void masked_byte(const Token& mask) {
    lex_.expect('(');
    Relocation relocation = address();
    lex_.expect(')');
    const std::uint64_t expected = std::uint64_t{0xff} << (8 * mask_byte_);
    if (size_of(variable_.type) != 1 || mask.bits != expected) {
      lex_.fail_at(mask, "only whole addresses, byte for byte from the lowest, are supported");
    }
    relocation.at = variable_.init.size() - mask_byte_;
    if (mask_byte_ == 0) {
      variable_.relocations.push_back(relocation);
    } else {
      const Relocation& begun = variable_.relocations.back();
      if (begun.index != relocation.index || begun.is_function != relocation.is_function ||
          begun.offset != relocation.offset) {
        lex_.fail_at(mask, "the bytes of an address must all be there, in order");
      }
    }
    append(mask, 0);
    mask_byte_ = (mask_byte_ + 1) % 8;
  }

  Lexer& lex_;
  const Module& module_;
  Variable& variable_;
  bool open_ended_;
  unsigned mask_byte_ = 0;  // how many bytes of a masked address have come
};

}  // namespace

void parse_initial_value(Lexer& lex, const Module& module, Variable& variable, bool open_ended) {
  Initializer(lex, module, variable, open_ended).run();
}

}  // namespace workbook::ptx
