// The decoder of one function; split over decode.cpp (frame, registers, arithmetic), decode_memory.cpp and
// decode_control.cpp. Internal to decoding.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "ptx/control_flow.h"
#include "sim/decode.h"
#include "sim/exec.h"
#include "sim/matrix.h"

namespace workbook::sim {

// An instruction that can't be decoded; the message says why, the decoder adds which and where.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Decoder {
 public:
  Decoder(const ModuleLayout& layout, std::uint32_t function, const Latencies& latencies,
          std::uint32_t first_hit);
  std::unique_ptr<Code> run();

 private:
  // frame and registers
  void place_registers();
  void place_variables();
  void find_live_in();
  Row row(std::uint32_t reg) const;            // of a register that is not a predicate
  Row source(const ptx::Operand&, bool wide);  // register, immediate or address
  Row constant(std::uint64_t bits, bool wide);
  std::uint32_t predicate(const ptx::Operand&, bool& negated) const;
  std::uint32_t predicate_slot(std::uint32_t number) const;
  bool is_predicate(const ptx::Operand&) const;
  bool is_wide(ptx::Type type) const { return ptx::size_of(type) == 8; }
  std::uint64_t address_of(const ptx::Operand&) const;  // of a module or kernel-shared variable, with offset
  std::uint64_t shared_offset(const ptx::Operand&) const;
  const ptx::Variable& variable(const ptx::Operand&) const;
  bool is_dynamic_shared(const ptx::Operand&) const;
  Place place_of(const ptx::Operand&) const;  // call parameter in the frame

  // instructions
  void instruction(const ptx::Instruction&, Inst&);
  void arithmetic(const ptx::Instruction&, Inst&);
  void set_destination(Inst&, const ptx::Operand&, bool wide);
  void comparison(const ptx::Instruction&, Inst&);
  void conversion(const ptx::Instruction&, Inst&);
  void move(const ptx::Instruction&, Inst&);
  void move_vector(const ptx::Instruction&, Inst&);
  void move_address(const ptx::Instruction&, Inst&);
  void convert_address(const ptx::Instruction&, Inst&);
  void select(const ptx::Instruction&, Inst&);
  void collective(const ptx::Instruction&, Inst&);
  // decode_memory.cpp
  void load_store(const ptx::Instruction&, Inst&);
  void atomic(const ptx::Instruction&, Inst&);
  void async_copy(const ptx::Instruction&, Inst&);
  void barrier_object(const ptx::Instruction&, Inst&);
  void address(const ptx::Operand&, Inst&, ptx::Space space);
  void vector_rows(const ptx::Operand&, Inst&, bool is_store, ptx::Type type);
  // decode_matrix.cpp
  void matrix(const ptx::Instruction&, Inst&);
  void multiply_matrices(const ptx::Instruction&, MatrixOp&, const std::vector<std::string>& words,
                         std::size_t first);
  void move_matrix(const ptx::Instruction&, Inst&, MatrixOp&, const std::vector<std::string>& words);
  void move_matrix_rows(const ptx::Instruction&, Inst&, MatrixOp&, const std::vector<std::string>& words);
  MatrixOp::Registers matrix_registers(const ptx::Operand&, MatrixType type);
  // decode_control.cpp
  void branch(const ptx::Instruction&, Inst&, std::uint32_t at);
  void call(const ptx::Instruction&, Inst&);
  void barrier(const ptx::Instruction&, Inst&);
  bool control(const ptx::Instruction&, Inst&, std::uint32_t at);

  InstructionClass class_of(const ptx::Instruction&) const;
  std::uint64_t latency_of(InstructionClass) const;

  const ModuleLayout& layout_;
  const ptx::Module& module_;
  const ptx::Function& function_;
  const std::uint32_t function_index_;
  const Latencies& latencies_;
  std::unique_ptr<Code> code_;
  ptx::ControlFlow flow_;
  std::vector<Row> registers_;  // by register; predicates: offset is the number
  std::vector<std::uint32_t>
      variable_place_;  // by Function::variables: offset in the frame or in shared memory
  std::map<std::pair<std::uint64_t, bool>, Row> constants_;
};

// "add.f32" and the like, for messages.
std::string spell(const ptx::Instruction&);

}  // namespace workbook::sim
