// ssa.hpp: a kernel's variables split so that each has one definition (static single assignment).
//
// The kernel stays as it is; beside it stand values, and for each operand the value that it reads. Only variables that
// are live where ways meet have phis there (pruned), so a phi says that lanes may bring different values to it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assembler/analysis/dominators.hpp"
#include "assembler/divergence/kernel.hpp"

namespace mog::divergence {

using ValueIndex = std::uint32_t;
inline constexpr ValueIndex no_value = 0xffffffff;

/// A definition.
struct Value {
    enum class Kind : std::uint8_t { incoming, phi, result };
    Kind kind = Kind::incoming;
    Variable variable = 0;
    BlockIndex block = 0;
    std::uint32_t index = 0;    ///< result: of the instruction in its block; phi: into SsaForm::phis
    std::uint32_t version = 0;  ///< counts the values of a variable from 0 on, in the order of blocks
};

/// Where ways meet: one operand for each edge into the block, in the order of Graph::predecessors.
struct Phi {
    Variable variable = 0;
    ValueIndex value = no_value;
    BlockIndex block = 0;
    std::vector<ValueIndex> operands;     ///< no_value where the edge comes from code that nothing reaches
    std::vector<std::uint32_t> readings;  ///< of each operand, into SsaForm::readings
};

/// A reading of a value. `block` is where lanes stand when they read it: of a phi's operand, the predecessor.
struct Reading {
    enum class By : std::uint8_t { phi, instruction, end };
    By by = By::instruction;
    BlockIndex block = 0;
    std::uint32_t index = 0;    ///< of the phi, or of the instruction in its block
    std::uint32_t operand = 0;  ///< which one of it
};

class SsaForm {
public:
    /// `kernel` passes its check() and stays as it is.
    explicit SsaForm(const Kernel &kernel);

    const Kernel &kernel;
    const Graph graph;
    const DominatorTree dominators;
    std::vector<Value> values;
    std::vector<Phi> phis;
    std::vector<std::vector<std::uint32_t>> phis_of;  ///< by block, into `phis`
    std::vector<Reading> readings;                    ///< those of one value follow each other

    bool is_reached(BlockIndex block) const { return dominators.is_reached(block); }
    /// The value that operand `operand` of an instruction reads; no_value: a constant.
    ValueIndex read_by(BlockIndex block, std::size_t instruction, std::size_t operand) const {
        return operands_[operands_begin_[first_of_[block] + instruction] + operand];
    }
    /// The same of the condition at a block's end.
    ValueIndex condition_of(BlockIndex block) const { return conditions_[block]; }
    /// What an instruction defines; no_value: nothing.
    ValueIndex result_of(BlockIndex block, std::size_t instruction) const { return results_[first_of_[block] + instruction]; }
    /// The same as places in `readings`; of no use where the operand is a constant.
    std::uint32_t reading_of(BlockIndex block, std::size_t instruction, std::size_t operand) const {
        return operand_readings_[operands_begin_[first_of_[block] + instruction] + operand];
    }
    std::uint32_t condition_reading_of(BlockIndex block) const { return condition_readings_[block]; }
    std::uint32_t first_reading(ValueIndex value) const { return readings_begin_[value]; }
    std::span<const Reading> readings_of(ValueIndex value) const {
        return std::span(readings).subspan(readings_begin_[value], readings_begin_[value + 1] - readings_begin_[value]);
    }
    /// "d.2": the variable and its version; where it has one value only, "d".
    std::string name_of(ValueIndex value) const;
    Place place_of(ValueIndex value) const;

private:
    void place_phis();
    void rename();
    void count_versions();
    void list_readings();
    template <typename Visit>
    void each_reading(Visit visit);

    std::vector<std::uint32_t> first_of_;        // by block: its first instruction among all
    std::vector<std::uint32_t> operands_begin_;  // by instruction
    std::vector<ValueIndex> operands_, results_, conditions_;
    std::vector<std::uint32_t> readings_begin_, versions_, operand_readings_, condition_readings_;
};

}  // namespace mog::divergence
