// kernel_facts.hpp: what the writer of compiled kernels asks about one: the order of its blocks, which lanes may wait where while others
// run, what is live, how each register is kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assembler/analysis/dominators.hpp"
#include "assembler/analysis/loops.hpp"
#include "assembler/analysis/single_entries.hpp"
#include "assembler/divergence/analysis.hpp"
#include "runtime_host/ptx/code/kernel_source.hpp"
#include "translator/ptx/blocks.hpp"
#include "translator/ptx/kernels.hpp"

namespace mog::ptx {

/// How a register is kept.
struct Kept {
    bool is_scalar = false;   ///< what lane 0 has, or would have
    std::int64_t stride = 0;  ///< from lane to lane
};

/// Whether lanes may go round a loop until others do something.
enum class Waits : std::uint8_t {
    no,
    hardly,  ///< only if they read again, by plain loads, what others write
    surely,  ///< as locks and flags do
};

/// By what others may write that an instruction reads. Nothing else is said of calls.
Waits waits_by(const Opcode &opcode);

class KernelFacts {
public:
    using Node = Graph::Node;
    using Bits = std::vector<bool>;  ///< by register

    /// Of a kernel, or of a function that one calls. `lanes`: of a unit; `calls`: how what functions give back may depend on memory.
    /// why_not() says if it cannot be compiled.
    KernelFacts(const Program &program, const Function &function, const KernelShape &shape, std::uint32_t lanes, Waits calls);

    const std::string &why_not() const { return why_not_; }
    const Blocks &blocks() const { return blocks_; }
    /// Blocks in the order in which they are written: loops in one piece, all else behind what leads to it. Before loops of several entries
    /// stands what is no block, but where lanes wait that come in or round again: is_block().
    const std::vector<Node> &order() const { return order_; }
    std::uint32_t position(Node block) const { return position_[block]; }
    const LoopForest &loops() const { return *loops_; }
    bool is_block(Node node) const { return !ways_.is_added(node); }
    /// The block that rounds of a loop begin with.
    Node first_of(std::uint32_t loop) const;
    /// The loop whose rounds begin with the block, or LoopForest::none.
    std::uint32_t loop_of_first(Node block) const;
    /// Where lanes wait first that go from a block to one that it leads to.
    Node first_wait(Node from, Node to) const;
    /// Blocks at which lanes may wait while those that they parted from run this one.
    const std::vector<Node> &waiting(Node block) const { return waiting_[block]; }
    bool is_branch_uniform(Node block) const { return uniform_[block]; }
    const Kept &kept(std::uint32_t reg) const { return kept_[reg]; }
    /// Whether lanes that wait somewhere still want what the register held before it was written in this block.
    bool is_wanted_elsewhere(Node block, std::uint32_t reg) const;
    const Bits &live_in(Node block) const { return live_in_[block]; }
    Bits live_out(Node block) const;
    /// What any block wants of those before it.
    const Bits &live_somewhere() const { return live_somewhere_; }
    /// Before an instruction.
    Bits live_before(std::uint32_t instruction) const;
    /// By what is asked in it of memory that it reads.
    Waits may_wait(std::uint32_t loop) const { return may_wait_[loop]; }
    /// Whether lanes that go round in different numbers of rounds read memory here and there meanwhile: then one thread after the other is
    /// faster than all of them in vectors.
    bool is_for_single_threads() const;
    /// Whether all ways lead through the block.
    bool is_on_all_ways(Node block) const { return on_all_ways_[block]; }
    /// A register of 32 bits that an instruction widens, in lines that may wrap: the stride of it, and whether its sign counts.
    struct Widening {
        std::uint32_t reg;
        std::int64_t stride;
        bool is_signed;
    };
    const std::vector<Widening> &widenings(std::uint32_t instruction) const { return widenings_[instruction]; }

private:
    Bits returned() const;  ///< what a function gives back in registers
    Waits waits_by(const Instruction &instruction) const;
    void make_entries_single(DivergenceKernel &kernel) const;
    void put_in_order();
    void find_waiting(const divergence::Analysis *analysis);
    void find_waiting_of(Node branch, Node end, std::vector<std::vector<bool>> &waits) const;
    void find_live();
    void find_kept(const DivergenceKernel &kernel, const divergence::Analysis &analysis);
    void find_widenings(const DivergenceKernel &kernel, const divergence::Analysis &analysis, const divergence::Analysis &sure);
    void find_loops_that_wait();
    void step_back(std::uint32_t instruction, const auto &set) const;

    const Program &program_;
    const Function &function_;
    Waits calls_;
    Blocks blocks_;
    SingleEntries ways_;
    Graph graph_;  ///< of ways_
    std::unique_ptr<LoopForest> loops_;
    std::vector<Node> order_;
    std::vector<std::uint32_t> position_;
    std::vector<std::vector<Node>> waiting_;
    Bits uniform_, on_all_ways_;
    std::vector<Waits> may_wait_;
    std::vector<Bits> live_in_;
    Bits live_somewhere_;
    std::vector<Kept> kept_;
    std::vector<std::vector<Widening>> widenings_;
    std::string why_not_;
};

}  // namespace mog::ptx
