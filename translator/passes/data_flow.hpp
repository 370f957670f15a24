// data_flow.hpp: what the passes over MOG code know of it: who follows whom, who reads and writes what.
#pragma once

#include <deque>
#include <vector>

#include "translator/mips/mips_program.hpp"

namespace mog {

/// Registers and accumulators that an instruction reads and writes (vreg numbers; system calls included).
RegSet reads_of(const Instruction &instruction);
RegSet writes_of(const Instruction &instruction);
/// True if it does nothing but write registers and accumulators. `fcsr`: the program can see what the FPU records in its control
/// register.
bool is_pure(Op op, bool fcsr);
/// True if an instruction of the program reads or writes the FPU's control register.
bool uses_fcsr(const MogUnit &unit);

/// The control-flow graph, by position of the blocks.
struct FlowGraph {
    std::vector<std::vector<std::uint32_t>> successors;    ///< direct ones: jumps and falling through
    std::vector<std::vector<std::uint32_t>> predecessors;
    enum class Leaves : std::uint8_t { No, Return, Anywhere };
    std::vector<Leaves> leaves;                            ///< ends in an indirect jump: a return, or any other
    std::vector<std::uint32_t> return_points;              ///< where returns may come to
    std::vector<std::uint32_t> entries;                    ///< where other indirect jumps may come to
};
FlowGraph flow_graph(const MogUnit &unit);

/// Blocks, by position, that a data-flow analysis still has to look at; each at most once. First come, first served.
class Worklist {
public:
    explicit Worklist(std::size_t blocks) : waits_(blocks) {}

    bool empty() const { return queue_.empty(); }
    void add(std::uint32_t block) {
        if (waits_[block]) return;
        waits_[block] = true;
        queue_.push_back(block);
    }
    std::uint32_t take() {
        const std::uint32_t block = queue_.front();
        queue_.pop_front();
        waits_[block] = false;
        return block;
    }

private:
    std::vector<bool> waits_;
    std::deque<std::uint32_t> queue_;
};

/// Registers live at the end of each block. Source: the backward data-flow equations of the textbooks, by worklist, with one
/// shared node for all returns and one for all other indirect jumps.
std::vector<RegSet> live_out(const MogUnit &unit, const FlowGraph &graph);

}  // namespace mog
