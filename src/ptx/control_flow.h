// The control flow of a function: basic blocks, and where the lanes of a warp that parted meet again.
//
// Lanes that take different ways at a branch meet at the branch's immediate post-dominator: the first
// instruction that every way from the branch to the end of the function passes. Every `ret`, every `exit`,
// and running past the last instruction count as one end, written as the instruction index body.size(). A
// loop without a way out has no post-dominators of its own; it is treated as if its last block could also
// reach the end.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace workbook::ptx {

struct Block {
  std::uint32_t first = 0;  // instructions [first, end)
  std::uint32_t end = 0;
  std::vector<std::uint32_t> successors;  // block indices; blocks.size() stands for the function's end
  std::uint32_t post_dominator =
      no_index;  // immediate one, a block index; blocks.size() for the function's end
};

struct ControlFlow {
  std::vector<Block> blocks;            // in order of the text
  std::vector<std::uint32_t> block_of;  // by instruction index
  // By instruction index: for a branch whose lanes may part (a guarded bra, a brx.idx with more than one
  // target, a guarded ret or exit that others pass) the index where they meet; no_index for every other
  // instruction.
  std::vector<std::uint32_t> reconvergence;
};

// The function's labels must be resolved, as `read` leaves them.
ControlFlow analyze(const Function& function);

}  // namespace workbook::ptx
