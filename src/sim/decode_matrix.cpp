// Decoding of what works on matrices. `rest` has all modifiers, dotted.
#include <charconv>

#include "sim/decoder.h"
#include "sim/matrix.h"

namespace workbook::sim {

using ptx::Opcode;
using ptx::Operand;
using OpKind = ptx::Operand::Kind;

namespace {

std::vector<std::string> words_of(const std::string& dotted) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < dotted.size();) {
    const std::size_t end = std::min(dotted.find('.', at + 1), dotted.size());
    words.push_back(dotted.substr(at + 1, end - at - 1));
    at = end;
  }
  return words;
}

MatrixType type_of(const std::string& word) {
  constexpr std::pair<const char*, MatrixType> names[] = {
      {"f16", MatrixType::f16}, {"bf16", MatrixType::bf16}, {"tf32", MatrixType::tf32},
      {"f32", MatrixType::f32}, {"f64", MatrixType::f64},   {"s32", MatrixType::s32},
      {"s8", MatrixType::s8},   {"u8", MatrixType::u8},     {"s4", MatrixType::s4},
      {"u4", MatrixType::u4}};
  for (const auto& [name, type] : names)
    if (word == name) return type;
  return MatrixType::none;
}

// "m16n8k16"
bool read_shape(const std::string& word, MatrixOp& op) {
  std::uint32_t* const to[] = {&op.m, &op.n, &op.k};
  const char* at = word.data();
  const char* const end = at + word.size();
  for (int i = 0; i < 3; ++i) {
    if (at == end || *at != "mnk"[i]) return false;
    const auto [next, error] = std::from_chars(at + 1, end, *to[i]);
    if (error != std::errc() || *to[i] == 0 || *to[i] > 256) return false;
    at = next;
  }
  return at == end;
}

struct Words {
  bool has_shape = false;
  std::vector<MatrixType> types;
  std::vector<bool> by_column;  // the layouts, in order
};

// Whatever is not known makes the instruction unsupported.
Words read_words(const std::vector<std::string>& list, std::size_t first, MatrixOp& op) {
  Words w;
  for (std::size_t i = first; i < list.size(); ++i) {
    const std::string& word = list[i];
    const MatrixType type = type_of(word);
    if (type != MatrixType::none)
      w.types.push_back(type);
    else if (word == "row" || word == "col")
      w.by_column.push_back(word == "col");
    else if (word == "satfinite")
      op.saturate = true;
    else if (word == "sync" || word == "aligned" || word == "global" || word == "shared" ||
             word == "shared::cta" || word == "rn")
      continue;
    else if (!w.has_shape && read_shape(word, op))
      w.has_shape = true;
    else
      throw Unsupported("." + word + " is not supported");
  }
  return w;
}

std::uint32_t elements_in(const MatrixOp::Registers& r) {
  const auto bits = static_cast<std::uint32_t>(bits_of(r.type));
  return r.count * (bits >= 32 ? 1 : 32 / bits) * lanes;
}

void check_count(const MatrixOp::Registers& r, std::uint32_t rows, std::uint32_t columns, bool exact,
                 const char* which) {
  const std::uint32_t has = elements_in(r), needs = rows * columns;
  if (has < needs || (exact && has != needs))
    throw Unsupported("its registers hold " + std::to_string(has) + " elements of " + which +
                      ", the shape has " + std::to_string(needs));
}

}  // namespace

int bits_of(MatrixType t) {
  switch (t) {
    case MatrixType::f64:
      return 64;
    case MatrixType::tf32:
    case MatrixType::f32:
    case MatrixType::s32:
      return 32;
    case MatrixType::s8:
    case MatrixType::u8:
      return 8;
    case MatrixType::s4:
    case MatrixType::u4:
      return 4;
    default:
      return 16;
  }
}

MatrixOp::Registers Decoder::matrix_registers(const Operand& o, MatrixType type) {
  MatrixOp::Registers r;
  r.type = type;
  r.first = static_cast<std::uint32_t>(code_->rows.size());
  const std::vector<Operand> one{o};
  const auto& list = o.kind == OpKind::vector ? o.elements : one;
  r.count = static_cast<std::uint32_t>(list.size());
  for (const Operand& e : list) {
    if (type == MatrixType::f64 || e.kind != OpKind::reg) {
      code_->rows.push_back(source(e, type == MatrixType::f64));
      continue;
    }
    const Row at = row(e.reg);
    if (at.wide) throw Unsupported("a register of 64 bits has no place here");
    code_->rows.push_back(at);
  }
  return r;
}

void Decoder::multiply_matrices(const ptx::Instruction& i, MatrixOp& op,
                                const std::vector<std::string>& words, std::size_t first) {
  const Words w = read_words(words, first, op);
  if (!w.has_shape || i.operands.size() != 4) throw Unsupported("this form is not supported");
  std::vector<MatrixType> t = w.types;
  if (t.size() == 2) t = {t[0], MatrixType::f16, MatrixType::f16, t[1]};  // wmma of f16 names D and C alone
  if (t.size() != 4) throw Unsupported("this combination of types is not supported");
  if (!op.opaque && (w.by_column.size() != 2 || w.by_column[0] || !w.by_column[1]))
    throw Unsupported("only .row.col is supported");
  op.d = matrix_registers(i.operands[0], t[0]);
  op.a = matrix_registers(i.operands[1], t[1]);
  op.b = matrix_registers(i.operands[2], t[2]);
  op.c = matrix_registers(i.operands[3], t[3]);
  const auto is_accumulator = [](MatrixType x) {
    return x == MatrixType::f32 || x == MatrixType::f16 || x == MatrixType::s32 || x == MatrixType::f64;
  };
  if (!is_accumulator(t[0]) || !is_accumulator(t[3]) || t[1] == MatrixType::f32 || t[1] == MatrixType::s32 ||
      (t[0] == MatrixType::s32) != (bits_of(t[1]) <= 8))
    throw Unsupported("this combination of types is not supported");
  if (!op.opaque &&
      (op.n != 8 || (op.m != 8 && op.m != 16) || (op.m == 8 && op.k == 4 && t[0] != MatrixType::f64)))
    throw Unsupported("this shape is not supported");
  check_count(op.a, op.m, op.k, !op.opaque, "A");
  check_count(op.b, op.k, op.n, !op.opaque, "B");
  check_count(op.c, op.m, op.n, true, "C");
  check_count(op.d, op.m, op.n, true, "D");
}

// wmma.load.a and its kind, wmma.store.d.
void Decoder::move_matrix(const ptx::Instruction& i, Inst& in, MatrixOp& op,
                          const std::vector<std::string>& words) {
  const bool is_load = words[0] == "load";
  op.what = is_load ? MatrixOp::What::load : MatrixOp::What::store;
  const std::string which = words.at(1);
  const Words w = read_words(words, 2, op);
  if (!w.has_shape || w.types.size() != 1 || w.by_column.size() != 1 || which.size() != 1 ||
      i.operands.size() < 2)
    throw Unsupported("this form is not supported");
  if (bits_of(w.types[0]) < 8) throw Unsupported("elements of less than a byte are not supported");
  op.by_column = w.by_column[0];
  op.rows = which == "b" ? op.k : op.m;
  op.columns = which == "a" ? op.k : op.n;
  op.d = matrix_registers(i.operands[is_load ? 0 : 1], w.types[0]);
  check_count(op.d, op.rows, op.columns, which != "a" && which != "b", "the matrix");
  address(i.operands[is_load ? 1 : 0], in, i.mod.space);
  if (i.operands.size() > 2) op.stride_row = source(i.operands[2], false).offset;
}

// ldmatrix, stmatrix: "m8n8", "x4", perhaps "trans", "shared", "b16".
void Decoder::move_matrix_rows(const ptx::Instruction& i, Inst& in, MatrixOp& op,
                               const std::vector<std::string>& words) {
  const bool is_load = i.op == Opcode::ldmatrix;
  op.what = is_load ? MatrixOp::What::load_rows : MatrixOp::What::store_rows;
  std::uint32_t count = 0;
  for (const std::string& word : words) {
    if (word == "trans")
      op.transposed = true;
    else if (word == "x1" || word == "x2" || word == "x4")
      count = static_cast<std::uint32_t>(word[1] - '0');
    else if (word != "sync" && word != "aligned" && word != "m8n8" && word != "shared" &&
             word != "shared::cta" && word != "b16")
      throw Unsupported("." + word + " is not supported");
  }
  op.d = matrix_registers(i.operands.at(is_load ? 0 : 1), MatrixType::f16);
  if (op.d.count != count) throw Unsupported("the number of registers is not that of the matrices");
  address(i.operands.at(is_load ? 1 : 0), in, ptx::Space::shared);
}

void Decoder::matrix(const ptx::Instruction& i, Inst& in) {
  const std::vector<std::string> words = words_of(i.mod.rest);
  MatrixOp op;
  in.kind = Kind::gather;
  if (i.op == Opcode::ldmatrix || i.op == Opcode::stmatrix) {
    move_matrix_rows(i, in, op, words);
  } else if (i.op == Opcode::movmatrix) {
    op.what = MatrixOp::What::transpose;
    op.d = matrix_registers(i.operands.at(0), MatrixType::f16);
    op.a = matrix_registers(i.operands.at(1), MatrixType::f16);
    if (op.d.count != 1 || op.a.count != 1) throw Unsupported("this form is not supported");
  } else if (i.op == Opcode::wmma && !words.empty() && words[0] != "mma") {
    op.opaque = true;
    move_matrix(i, in, op, words);
  } else {
    op.opaque = i.op == Opcode::wmma;
    multiply_matrices(i, op, words, op.opaque ? 1 : 0);
  }
  const bool has_result = op.what != MatrixOp::What::store && op.what != MatrixOp::What::store_rows;
  in.list.first = op.d.first;
  in.list.count = has_result ? op.d.count : 0;
  in.slot_b = code_->rows[has_result && op.a.count != 0 ? op.a.first : op.d.first].slot;
  if (op.c.count != 0) in.slot_c = code_->rows[op.c.first].slot;
  op.offset = in.imm;  // of the address; a collective has its mask there
  in.imm = static_cast<std::int64_t>(constant(full_mask, false).offset);
  in.run = find_matrix(op);
  in.e = static_cast<std::uint32_t>(code_->matrices.size());
  code_->matrices.push_back(op);
  if (op.what == MatrixOp::What::store && in.access.space != ptx::Space::shared) code_->stores_global = true;
}

}  // namespace workbook::sim
