#include "ptx/modifiers.h"

#include <unordered_map>
#include <vector>

namespace workbook::ptx {

namespace {

// Groups of words. An opcode allows groups; a word may be in several groups (`lo` is a half and a
// comparison), but no opcode allows two groups that share a word.
enum Group : std::uint64_t {
  types = 1ull << 0,
  two_types = 1ull << 1,
  space = 1ull << 2,
  to_space = 1ull << 3,
  rounding = 1ull << 4,
  float_flags = 1ull << 5,  // ftz sat
  approx = 1ull << 6,       // approx full
  relu = 1ull << 7,
  half = 1ull << 8,
  compare = 1ull << 9,
  combine = 1ull << 10,
  atomic = 1ull << 11,
  shuffle = 1ull << 12,
  vote = 1ull << 13,
  order = 1ull << 14,
  scope = 1ull << 15,
  vector = 1ull << 16,
  sync = 1ull << 17,
  barrier = 1ull << 18,
  uniform = 1ull << 19,
  is_volatile = 1ull << 20,
  cache = 1ull << 21,  // hints, and nc
  shf_mode = 1ull << 22,
  carry = 1ull << 23,
  shift_amount = 1ull << 24,
  nan_mode = 1ull << 25,
  rest_prmt = 1ull << 26,
  rest_testp = 1ull << 27,
  membar = 1ull << 28,
  no_ftz = 1ull << 29,
  xorsign = 1ull << 31,
  rest_cvt = 1ull << 32,
  any_rest = 1ull << 30,  // everything goes to `rest` as well; the device decides
};

struct Word {
  Group group;
  std::uint8_t value;
};

template <typename Enum>
void add_words(std::unordered_multimap<std::string_view, Word>& table, Group group,
               std::initializer_list<std::pair<std::string_view, Enum>> words) {
  for (const auto& [text, value] : words) table.emplace(text, Word{group, static_cast<std::uint8_t>(value)});
}

using WordTable = std::unordered_multimap<std::string_view, Word>;

enum Flag : std::uint8_t {
  f_ftz,
  f_sat,
  f_approx,
  f_full,
  f_nc,
  f_hint,
  f_left,
  f_right,
  f_wrap,
  f_clamp,
  f_on
};

void add_arithmetic_words(WordTable& t) {
  using enum Space;
  add_words<Space>(t, space,
                   {{"global", global},
                    {"shared", shared},
                    {"local", local},
                    {"const", constant},
                    {"param", param},
                    {"shared::cta", shared},
                    {"param::entry", param},
                    {"param::func", param}});
  add_words<Flag>(t, to_space, {{"to", f_on}});
  using R = Rounding;
  add_words<R>(t, rounding,
               {{"rn", R::rn},
                {"rz", R::rz},
                {"rm", R::rm},
                {"rp", R::rp},
                {"rna", R::rna},
                {"rni", R::rni},
                {"rzi", R::rzi},
                {"rmi", R::rmi},
                {"rpi", R::rpi}});
  add_words<Flag>(t, float_flags, {{"ftz", f_ftz}, {"sat", f_sat}});
  add_words<Flag>(t, approx, {{"approx", f_approx}, {"full", f_full}});
  add_words<Flag>(t, relu, {{"relu", f_on}});
  add_words<Half>(t, half, {{"lo", Half::lo}, {"hi", Half::hi}, {"wide", Half::wide}});
  using C = Compare;
  add_words<C>(t, compare,
               {{"eq", C::eq},
                {"ne", C::ne},
                {"lt", C::lt},
                {"le", C::le},
                {"gt", C::gt},
                {"ge", C::ge},
                {"lo", C::lo},
                {"ls", C::ls},
                {"hi", C::hi},
                {"hs", C::hs},
                {"equ", C::equ},
                {"neu", C::neu},
                {"ltu", C::ltu},
                {"leu", C::leu},
                {"gtu", C::gtu},
                {"geu", C::geu},
                {"num", C::num},
                {"nan", C::nan}});
  add_words<Combine>(t, combine, {{"and", Combine::and_}, {"or", Combine::or_}, {"xor", Combine::xor_}});
}

void add_operation_words(WordTable& t) {
  using A = AtomicOp;
  add_words<A>(t, atomic,
               {{"add", A::add},
                {"min", A::min},
                {"max", A::max},
                {"inc", A::inc},
                {"dec", A::dec},
                {"and", A::and_},
                {"or", A::or_},
                {"xor", A::xor_},
                {"exch", A::exch},
                {"cas", A::cas}});
  using S = ShuffleMode;
  add_words<S>(t, shuffle, {{"up", S::up}, {"down", S::down}, {"bfly", S::bfly}, {"idx", S::idx}});
  using V = VoteMode;
  add_words<V>(t, vote, {{"all", V::all}, {"any", V::any}, {"uni", V::uni}, {"ballot", V::ballot}});
  using O = Order;
  add_words<O>(t, order,
               {{"weak", O::weak},
                {"relaxed", O::relaxed},
                {"acquire", O::acquire},
                {"release", O::release},
                {"acq_rel", O::acq_rel},
                {"sc", O::sc}});
  using P = Scope;
  add_words<P>(t, scope, {{"cta", P::cta}, {"cluster", P::cluster}, {"gpu", P::gpu}, {"sys", P::sys}});
  add_words<P>(t, membar, {{"cta", P::cta}, {"gl", P::gpu}, {"sys", P::sys}});
  add_words<int>(t, vector, {{"v2", 2}, {"v4", 4}, {"v8", 8}});
  add_words<int>(t, sync, {{"sync", 0}, {"aligned", 1}});
  using B = BarrierAction;
  add_words<B>(t, barrier, {{"sync", B::sync}, {"arrive", B::arrive}, {"red", B::red}});
  add_words<B>(t, barrier, {{"popc", B::none}});
  add_words<Flag>(t, uniform, {{"uni", f_on}});
  add_words<Flag>(t, is_volatile, {{"volatile", f_on}});
  add_words<Flag>(t, cache,
                  {{"nc", f_nc},
                   {"ca", f_hint},
                   {"cg", f_hint},
                   {"cs", f_hint},
                   {"lu", f_hint},
                   {"cv", f_hint},
                   {"wb", f_hint},
                   {"wt", f_hint}});
  add_words<Flag>(t, shf_mode, {{"l", f_left}, {"r", f_right}, {"wrap", f_wrap}, {"clamp", f_clamp}});
  add_words<Flag>(t, carry, {{"cc", f_on}});
  add_words<Flag>(t, shift_amount, {{"shiftamt", f_on}});
  add_words<Flag>(t, nan_mode, {{"NaN", f_on}});
  add_words<Flag>(t, xorsign, {{"xorsign", f_on}, {"abs", f_on}});
  add_words<Flag>(t, no_ftz, {{"noftz", f_hint}});
  for (const char* word : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) t.emplace(word, Word{rest_prmt, 0});
  for (const char* word : {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}) {
    t.emplace(word, Word{rest_testp, 0});
  }
  for (const char* word : {"pack", "satfinite"}) t.emplace(word, Word{rest_cvt, 0});
}

const WordTable& words() {
  static const auto* table = [] {
    auto* made = new WordTable;
    add_arithmetic_words(*made);
    add_operation_words(*made);
    return made;
  }();
  return *table;
}

constexpr std::uint64_t arithmetic = types | rounding | float_flags;

// clang-format off
std::uint64_t groups_of_arithmetic(Opcode op) {
  switch (op) {
    case Opcode::add: case Opcode::sub: return arithmetic | carry;
    case Opcode::addc: case Opcode::subc: return types | carry;
    case Opcode::mul: return arithmetic | half;
    case Opcode::mad: return arithmetic | half | carry;
    case Opcode::madc: return types | half | carry;
    case Opcode::mul24: return types | half;
    case Opcode::mad24: return types | half | float_flags;
    case Opcode::dp2a: return types | two_types | half;
    case Opcode::dp4a: return types | two_types;
    case Opcode::vabsdiff4: return types | two_types | atomic | float_flags | any_rest;
    case Opcode::fma: return arithmetic | relu;
    case Opcode::div: case Opcode::rcp: case Opcode::sqrt: return arithmetic | approx;
    case Opcode::rsqrt: case Opcode::sin: case Opcode::cos: case Opcode::lg2: case Opcode::ex2:
    case Opcode::tanh: return types | float_flags | approx;
    case Opcode::min: case Opcode::max: return types | float_flags | nan_mode | relu | xorsign;
    case Opcode::abs: case Opcode::neg: return types | float_flags;
    case Opcode::testp: return types | rest_testp;
    case Opcode::set: case Opcode::setp: return types | two_types | compare | combine | float_flags;
    case Opcode::slct: return types | two_types | float_flags;
    case Opcode::cvt: return arithmetic | two_types | relu | rest_cvt;
    case Opcode::lop3: return types | combine;
    case Opcode::shf: return types | shf_mode;
    case Opcode::bfind: return types | shift_amount;
    case Opcode::bmsk: case Opcode::szext: return types | shf_mode;
    case Opcode::prmt: return types | rest_prmt;
    default: return types;
  }
}
// clang-format on

// clang-format off
std::uint64_t groups_of(Opcode op) {
  constexpr std::uint64_t memory = types | space | vector | order | scope | is_volatile | cache;
  switch (op) {
    case Opcode::cvta: return types | space | to_space;
    case Opcode::isspacep: case Opcode::mapa: case Opcode::getctarank: return types | space;
    case Opcode::mov: return types | vector;
    case Opcode::ld: case Opcode::ldu: case Opcode::st: return memory;
    case Opcode::atom: case Opcode::red:
      return types | space | vector | order | scope | atomic | cache | no_ftz;
    case Opcode::membar: return membar;
    case Opcode::fence: return order | scope | any_rest;
    case Opcode::bra: case Opcode::brx_idx: case Opcode::call: case Opcode::ret: return uniform;
    case Opcode::exit: case Opcode::trap: case Opcode::brkpt: return 0;
    case Opcode::stacksave: case Opcode::stackrestore: case Opcode::alloca: return types;
    case Opcode::nanosleep: case Opcode::activemask: return types;
    case Opcode::bar: return types | barrier | combine | scope;
    case Opcode::barrier: return types | barrier | combine | any_rest;
    case Opcode::bar_warp_sync: return 0;
    case Opcode::shfl: return types | sync | shuffle;
    case Opcode::vote: case Opcode::match: return types | sync | vote;
    case Opcode::redux: return types | sync | atomic | nan_mode;
    case Opcode::elect: return sync;
    case Opcode::prefetch: case Opcode::prefetchu: case Opcode::applypriority: case Opcode::discard:
    case Opcode::createpolicy: case Opcode::cp_async: case Opcode::cp_reduce: case Opcode::mbarrier:
      return types | space | any_rest;
    case Opcode::ldmatrix: case Opcode::stmatrix: case Opcode::movmatrix: case Opcode::mma:
    case Opcode::wmma: return types | two_types | space | sync | any_rest;
    case Opcode::pmevent: case Opcode::griddepcontrol: case Opcode::setmaxnreg: return types | any_rest;
    default: return groups_of_arithmetic(op);
  }
}
// clang-format on

void apply_flag(Flag flag, Modifiers& mod) {
  switch (flag) {
    case f_ftz:
      mod.ftz = true;
      break;
    case f_sat:
      mod.sat = true;
      break;
    case f_approx:
      mod.approx = true;
      break;
    case f_full:
      mod.full = true;
      break;
    case f_nc:
      mod.nc = true;
      break;
    case f_left:
      mod.left = true;
      break;
    case f_wrap:
      mod.wrap = true;
      break;
    case f_clamp:
      mod.clamp = true;
      break;
    default:
      break;  // a hint, or the default written out
  }
}

// clang-format off
void apply(const Word& word, std::string_view text, Modifiers& mod) {
  switch (word.group) {
    case space: mod.space = static_cast<Space>(word.value); break;
    case to_space: mod.to_space = true; break;
    case rounding: mod.rounding = static_cast<Rounding>(word.value); break;
    case relu: mod.relu = true; break;
    case half: mod.half = static_cast<Half>(word.value); break;
    case compare: mod.compare = static_cast<Compare>(word.value); break;
    case combine: mod.combine = static_cast<Combine>(word.value); break;
    case atomic: mod.atomic = static_cast<AtomicOp>(word.value); break;
    case shuffle: mod.shuffle = static_cast<ShuffleMode>(word.value); break;
    case vote: mod.vote = static_cast<VoteMode>(word.value); break;
    case order: mod.order = static_cast<Order>(word.value); break;
    case scope: case membar: mod.scope = static_cast<Scope>(word.value); break;
    case vector: mod.vector = word.value; break;
    case sync:
      (word.value == 0 ? mod.sync : mod.aligned) = true;
      break;
    case barrier:
      if (word.value != 0) mod.barrier = static_cast<BarrierAction>(word.value);
      break;
    case uniform: mod.uniform = true; break;
    case is_volatile: mod.is_volatile = true; break;
    case carry: mod.carry_out = true; break;
    case shift_amount: mod.shift_amount = true; break;
    case nan_mode: mod.propagate_nan = true; break;
    case xorsign: mod.xorsign = true; break;
    case rest_prmt: case rest_testp: case rest_cvt: mod.rest.append(".").append(text); break;
    default:
      apply_flag(static_cast<Flag>(word.value), mod);
      break;
  }
}
// clang-format on

bool apply_type(Type type, std::uint64_t allowed, int& count, Modifiers& mod) {
  if (!(allowed & types)) return false;
  ++count;
  if (count == 1) {
    mod.type = type;
  } else if (count == 2 && (allowed & two_types)) {
    mod.source_type = type;
  } else {
    return (allowed & any_rest) != 0 ||
           mod.rest.find(".pack") != std::string::npos;  // cvt.pack: the type of c
  }
  return true;
}

bool is_cache_hint(std::string_view word) {
  return word.starts_with("L1::") || word.starts_with("L2::") || word.starts_with("level::") ||
         word == "unified";
}

bool apply_word(std::string_view text, std::uint64_t allowed, int& type_count, Modifiers& mod) {
  const auto [begin, end] = words().equal_range(text);
  for (auto it = begin; it != end; ++it) {
    if ((it->second.group & allowed) == 0) continue;
    apply(it->second, text, mod);
    return true;
  }
  if (const auto type = find_type(text)) return apply_type(*type, allowed, type_count, mod);
  return ((allowed & cache) && is_cache_hint(text)) || (allowed & any_rest);
}

}  // namespace

std::string_view apply_modifiers(Opcode op, std::string_view dotted, Modifiers& mod) {
  const std::uint64_t allowed = groups_of(op);
  if (allowed & any_rest) mod.rest = dotted;
  int type_count = 0;
  while (!dotted.empty()) {
    const std::size_t end = std::min(dotted.find('.', 1), dotted.size());
    const std::string_view word = dotted.substr(1, end - 1);
    if (word.empty() || !apply_word(word, allowed, type_count, mod)) return dotted.substr(0, end);
    dotted.remove_prefix(end);
  }
  return {};
}

}  // namespace workbook::ptx
