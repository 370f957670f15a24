// machine.hpp: the u-SIMD machine, executed: lanes in lock step, and a stack of those that wait.
//
// Sampaio's thesis, tables 3.2 to 3.5, with its rules by their names. Corrected here, for as they are printed they are
// wrong (docs/divergence.md says more):
//   - BT and BF have their sides the wrong way round for bz, and so has BD.
//   - push() has no rule for a branch that is met again while others of its lanes are done already (a loop that is tested at
//     its end gets stuck), and it joins lanes that wait at a place inside the loop with those of later rounds.
//   - A sync pops whatever lies on top, so a way around a branch to its sync pops the node of another. Here each node
//     knows where its region ends.
// A kernel with sync instructions has one first at the end of each branch's region, or is refused. In one without any,
// they are implied there, and lanes that stop wait until all have.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assembler/divergence/kernel.hpp"
#include "assembler/usimd/usimd_text.hpp"
#include "support/result.hpp"

namespace mog::usimd {

/// By lane of the warp.
using Lanes = std::vector<bool>;

struct MachineOptions {
    std::uint32_t threads = 4;  ///< of a program without .block
    std::uint32_t warp = 32;
    std::uint64_t most_steps = 1'000'000;  ///< of a warp
    /// What the machine has no rule for is stood in for: it gives a number that its word and what it reads decide, as any function of
    /// these would; if it is opaque, its lane too. So code of other machines can be compared with itself in other registers.
    bool has_stand_ins = false;
};

class Machine;

/// Something that happened: an instruction or the end of a block, executed; lanes that came to a block, of which
/// nothing is executed yet; or lanes that wait there for others, whose turn it is now.
struct Step {
    enum class What : std::uint8_t { comes, waits, before, after, end };
    What what = What::comes;
    divergence::BlockIndex block = 0;
    std::size_t index = 0;  ///< before, after: which instruction
    const char *rule = "";  ///< the rule's name
    const Lanes *active = nullptr;
};

class Machine {
public:
    using Watcher = std::function<void(const Machine &, const Step &)>;

    /// Of a program that can be run: with what is wrong with it otherwise, and where.
    static Result<Machine> make(const Program &program, const MachineOptions &options);

    /// Runs one warp after the other. An Error says where lanes do what the machine has no rule for.
    Result<void> run(const Watcher &watcher);

    /// A lane's value of a variable.
    std::int64_t value(divergence::Variable variable, std::size_t lane) const { return locals_[variable][lane]; }
    /// The number of the thread in a lane.
    std::int64_t thread(std::size_t lane) const { return static_cast<std::int64_t>(first_thread_ + lane); }
    std::uint32_t warp() const { return first_thread_ / options_.warp; }
    const std::vector<std::int64_t> &cells() const { return cells_; }
    std::uint64_t steps() const { return steps_; }

private:
    /// (l_id, done, l_next, todo) of the paper; with where its region ends, and lanes that wait for several places.
    struct Node {
        divergence::BlockIndex branch;
        Lanes done;
        std::vector<std::pair<divergence::BlockIndex, Lanes>> todo;
        divergence::BlockIndex end;
    };

    Machine(const Program &program, const MachineOptions &options) : program_(&program), options_(options) {}
    Result<void> prepare();
    Result<void> run_warp(const Watcher &watcher);
    Result<void> execute(const divergence::Instruction &instruction);
    std::int64_t stand_in(const divergence::Instruction &instruction, std::size_t lane) const;
    Result<std::int64_t *> cell(const divergence::Instruction &instruction, std::size_t lane, const char *does);
    void lose_overlaps(divergence::Variable written);
    std::int64_t read(const divergence::Operand &operand, std::size_t lane) const;
    std::int64_t special(divergence::Special special, std::size_t lane) const;
    void branch(const divergence::End &end);
    void push(divergence::BlockIndex branch, std::vector<std::pair<divergence::BlockIndex, Lanes>> todo);
    bool synchronise();
    Error stuck(const divergence::Place &place, std::string message) const;
    const divergence::Kernel &kernel() const { return program_->kernel; }

    const Program *program_;
    MachineOptions options_;
    std::uint32_t threads_ = 0;
    std::vector<divergence::BlockIndex> ends_;       // by block: where the region of its branch ends
    std::vector<std::vector<bool>> comes_back_;      // by block and target: whether it leads to the branch again inside the region
    std::vector<std::vector<std::int64_t>> locals_;  // by variable and lane
    std::vector<std::int64_t> cells_, warp_cells_;
    std::vector<std::vector<std::int64_t>> lane_cells_;  // by lane
    std::uint32_t first_thread_ = 0;
    Lanes active_;
    std::vector<Node> stack_;
    divergence::BlockIndex at_ = 0;
    std::uint64_t steps_ = 0;
    const char *rule_ = "";
};

/// What a run leaves in the cells, as a line of text.
Result<std::string> result_of(const Program &program, const MachineOptions &options);
/// A run as text: a line for each step, with the lanes that were active and what they hold then; and what it leaves.
Result<std::string> trace(const Program &program, const MachineOptions &options);

}  // namespace mog::usimd
