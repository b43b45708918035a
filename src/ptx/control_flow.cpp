#include "ptx/control_flow.h"

#include <algorithm>

namespace workbook::ptx {

namespace {

bool ends_thread(Opcode op) {
  return op == Opcode::ret || op == Opcode::exit || op == Opcode::trap;
}

bool ends_block(Opcode op) {
  return op == Opcode::bra || op == Opcode::brx_idx || ends_thread(op);
}

class Analysis {
 public:
  explicit Analysis(const Function& function) : function_(function) {}

  ControlFlow run() {
    cut_blocks();
    connect();
    find_post_dominators();
    find_reconvergence();
    return std::move(flow_);
  }

 private:
  std::uint32_t end_node() const { return static_cast<std::uint32_t>(flow_.blocks.size()); }

  // The instruction indices an instruction may go to, body.size() for the end.
  std::vector<std::uint32_t> ways_from(std::uint32_t index) const {
    const Instruction& instruction = function_.body[index];
    const auto end = static_cast<std::uint32_t>(function_.body.size());
    std::vector<std::uint32_t> ways;
    if (instruction.op == Opcode::bra) {
      ways.push_back(instruction.operands[0].index);
    } else if (instruction.op == Opcode::brx_idx) {
      ways = function_.target_lists[instruction.operands[1].index];
    } else if (ends_thread(instruction.op)) {
      ways.push_back(end);
    }
    if (!ends_block(instruction.op) || instruction.guard != no_index) ways.push_back(index + 1);
    return ways;
  }

  void cut_blocks() {
    const std::size_t size = function_.body.size();
    std::vector<bool> leads(size + 1, false);
    leads[0] = true;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (!ends_block(function_.body[i].op)) continue;
      leads[i + 1] = true;
      for (const std::uint32_t way : ways_from(i)) leads[way] = true;
    }
    flow_.block_of.resize(size);
    for (std::uint32_t i = 0; i < size; ++i) {
      if (leads[i]) flow_.blocks.push_back({i, i, {}, no_index});
      flow_.blocks.back().end = i + 1;
      flow_.block_of[i] = end_node() - 1;
    }
  }

  void connect() {
    predecessors_.resize(flow_.blocks.size() + 1);
    for (std::uint32_t b = 0; b < end_node(); ++b) {
      auto& successors = flow_.blocks[b].successors;
      for (const std::uint32_t way : ways_from(flow_.blocks[b].end - 1)) {
        const std::uint32_t to = way == function_.body.size() ? end_node() : flow_.block_of[way];
        if (std::find(successors.begin(), successors.end(), to) == successors.end()) successors.push_back(to);
      }
      for (const std::uint32_t to : successors) predecessors_[to].push_back(b);
    }
    order_.assign(flow_.blocks.size() + 1, no_index);
  }

  // Numbers the blocks that reach `from` backwards, each after all that it is reached through (post-order).
  void number_from(std::uint32_t from, std::vector<bool>& seen) {
    std::vector<std::pair<std::uint32_t, std::size_t>> path{{from, 0}};
    seen[from] = true;
    while (!path.empty()) {
      auto& [block, next] = path.back();
      if (next < predecessors_[block].size()) {
        const std::uint32_t to = predecessors_[block][next++];
        if (!seen[to]) {
          seen[to] = true;
          path.emplace_back(to, 0);
        }
        continue;
      }
      order_[block] = static_cast<std::uint32_t>(post_order_.size());
      post_order_.push_back(block);
      path.pop_back();
    }
  }

  // Endless loops do not reach the end: their last block is given an edge to it.
  void tie_endless_loops() {
    std::vector<bool> reached(flow_.blocks.size() + 1, false);
    const auto reach = [&](std::uint32_t from) {
      std::vector<std::uint32_t> todo{from};
      reached[from] = true;
      while (!todo.empty()) {
        const std::uint32_t block = todo.back();
        todo.pop_back();
        for (const std::uint32_t to : predecessors_[block]) {
          if (!reached[to]) {
            reached[to] = true;
            todo.push_back(to);
          }
        }
      }
    };
    reach(end_node());
    for (std::uint32_t b = end_node(); b-- > 0;) {
      if (reached[b]) continue;
      tied_.push_back(b);
      predecessors_[end_node()].push_back(b);
      reach(b);
    }
  }

  std::uint32_t meet(std::uint32_t a, std::uint32_t b, const std::vector<std::uint32_t>& dominator) const {
    while (a != b) {
      while (order_[a] < order_[b]) a = dominator[a];
      while (order_[b] < order_[a]) b = dominator[b];
    }
    return a;
  }

  // Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", on the graph with its edges turned around.
  void find_post_dominators() {
    tie_endless_loops();
    std::vector<bool> seen(flow_.blocks.size() + 1, false);
    number_from(end_node(), seen);
    std::vector<std::uint32_t> dominator(flow_.blocks.size() + 1, no_index);
    dominator[end_node()] = end_node();
    for (bool changed = true; changed;) {
      changed = false;
      for (auto it = post_order_.rbegin(); it != post_order_.rend(); ++it) {
        if (*it == end_node()) continue;
        const std::uint32_t found = meet_of_successors(*it, dominator);
        if (found == dominator[*it]) continue;
        dominator[*it] = found;
        changed = true;
      }
    }
    for (std::uint32_t b = 0; b < end_node(); ++b) flow_.blocks[b].post_dominator = dominator[b];
  }

  std::uint32_t meet_of_successors(std::uint32_t block, const std::vector<std::uint32_t>& dominator) const {
    std::uint32_t found = no_index;
    const auto add = [&](std::uint32_t successor) {
      if (dominator[successor] == no_index) return;
      found = found == no_index ? successor : meet(found, successor, dominator);
    };
    for (const std::uint32_t successor : flow_.blocks[block].successors) add(successor);
    if (std::find(tied_.begin(), tied_.end(), block) != tied_.end()) add(end_node());
    return found;
  }

  void find_reconvergence() {
    flow_.reconvergence.assign(function_.body.size(), no_index);
    for (const Block& block : flow_.blocks) {
      if (block.successors.size() < 2) continue;
      const std::uint32_t meeting = block.post_dominator;
      flow_.reconvergence[block.end - 1] = meeting == end_node()
                                               ? static_cast<std::uint32_t>(function_.body.size())
                                               : flow_.blocks[meeting].first;
    }
  }

  const Function& function_;
  ControlFlow flow_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
  std::vector<std::uint32_t> post_order_;  // of the reversed graph, from the end
  std::vector<std::uint32_t> order_;       // position of a block in it
  std::vector<std::uint32_t> tied_;        // blocks of endless loops with an edge to the end
};

}  // namespace

ControlFlow analyze(const Function& function) {
  if (function.body.empty()) return {};
  return Analysis(function).run();
}

}  // namespace workbook::ptx
