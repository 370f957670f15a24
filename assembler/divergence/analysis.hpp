// analysis.hpp: which values of a kernel are the same in all lanes that stand together, which are polynomials in the
// number of the thread, and why the others are neither.
//
// Sparse: from each value to those that read it, until nothing changes. A branch whose condition is found not to be
// uniform parts lanes; what that does to phis and readings elsewhere (sync.hpp) is added when it is found.
//
// What it says holds of lanes that stand together at the same instruction, if lanes that part at a branch meet again where
// its region ends, and not before, but for such as have made the same rounds of the loops around. (docs/divergence.md)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assembler/divergence/polynomial.hpp"
#include "assembler/divergence/ranges.hpp"
#include "assembler/divergence/ssa.hpp"
#include "assembler/divergence/sync.hpp"
#include "assembler/divergence/thread_shape.hpp"

namespace mog::divergence {

/// Rules that can be left out or replaced by a wrong one, for tests that show what each is for.
enum class Fault : std::uint8_t {
    none,
    product_drops_squares,  ///< a product of two polynomials is like the first of them
    pure_wants_both,        ///< the paper's rule GBNA, "a1, a2 != 0" read as "and": one uniform operand is enough
    no_gammas,              ///< phis where lanes meet after parting are like others
    no_etas,                ///< values of different times are not told apart
    order_wraps,            ///< ordered comparisons of what may wrap are taken for exact
};

struct AnalysisOptions {
    /// 0: the simple analysis, uniform or divergent. 1: affine. Up to most_degree.
    unsigned degree = 2;
    ThreadShape shape;
    /// Lanes that stand together need not have done so all the time: what one of them reads from memory that others write
    /// may have changed.
    bool loads_are_apart = false;
    /// Whoever runs the kernel looks, each time numbers of 32 bits become ones of 64, whether those of the lanes that stand there wrap on
    /// the way from the first of them to the last, and does something else if they do. So what is a polynomial stays one.
    bool widening_is_checked = false;
    Fault fault = Fault::none;
};

/// Why a value is no more than it is.
struct Cause {
    enum class Kind : std::uint8_t {
        none,       ///< nothing happened to it
        source,     ///< what its instruction is, or that it comes from outside
        operand,    ///< it is computed of `value`, which is not uniform
        operation,  ///< of `value`, which is a polynomial, by something that does not keep polynomials
        meeting,    ///< lanes that parted at `branch` come here by different ways
        rounds,     ///< lanes that parted at `branch` bring `value` from different rounds of a loop
        mixture,    ///< ways bring different polynomials
    };
    Kind kind = Kind::none;
    ValueIndex value = no_value;
    BlockIndex branch = 0;
};

class Analysis {
public:
    /// `kernel` outlives this.
    explicit Analysis(const Kernel &kernel, AnalysisOptions options = {});

    const Kernel &kernel() const { return form_.kernel; }
    const SsaForm &form() const { return form_; }
    const AnalysisOptions &options() const { return options_; }
    const Polynomials &domain() const { return domain_; }
    const Fact &fact(ValueIndex value) const { return facts_[value]; }
    Class class_of(ValueIndex value) const { return domain_.class_of(facts_[value]); }
    /// What is known of a value where it is read. `reading`: into SsaForm::readings, one of the value's.
    Fact fact_at(ValueIndex value, std::uint32_t reading) const;
    /// Whether all lanes that come to a block's end go on the same way.
    bool is_branch_uniform(BlockIndex block) const { return !parts_[block]; }
    /// The branch whose lanes may meet in a phi with different values; no_branch: none.
    BlockIndex gate_of(std::uint32_t phi) const { return gates_[phi]; }
    /// The branch that makes a reading temporal; no_branch: it is not.
    BlockIndex eta_of(std::uint32_t reading) const { return etas_[reading]; }
    static constexpr BlockIndex no_branch = 0xffffffff;
    /// Why a value is not uniform, and why it is divergent: each names only values and branches of which as much was known before,
    /// so chains of causes end.
    const Cause &why_not_uniform(ValueIndex value) const { return not_uniform_[value]; }
    const Cause &why_divergent(ValueIndex value) const { return divergent_[value]; }
    const SyncDependence &sync() const { return sync_; }
    /// How often a value's fact was computed, for measurements.
    std::size_t steps() const { return steps_; }

private:
    void solve();
    void update(ValueIndex value);
    Fact transfer(ValueIndex value, Cause &cause) const;
    Fact of_phi(const Phi &phi, Cause &cause) const;
    Fact of_instruction(const Value &value, Cause &cause) const;
    Fact of_order(const Instruction &instruction, const Value &value, const Fact &a, const Fact &b) const;
    bool fits(const Instruction &instruction, const Value &value) const;
    void check_condition(BlockIndex block);
    void part(BlockIndex branch);
    void queue(ValueIndex value);
    void queue_reader(const Reading &reading);

    AnalysisOptions options_;
    Polynomials domain_;
    SsaForm form_;
    SyncDependence sync_;
    std::vector<Range> ranges_;  // empty where nothing needs them
    std::vector<Fact> facts_;
    std::vector<Cause> not_uniform_, divergent_;
    std::vector<BlockIndex> gates_;                                          // by phi
    std::vector<BlockIndex> etas_;                                           // by reading
    std::vector<bool> parts_;                                                // by block
    std::vector<std::vector<std::pair<std::uint32_t, BlockIndex>>> marked_;  // by block: for which loops and ends its etas are known
    std::vector<ValueIndex> waiting_;
    std::vector<BlockIndex> parting_;  // branches found to part lanes, of which it is not yet known what follows
    std::vector<bool> waits_;
    std::size_t steps_ = 0;
};

}  // namespace mog::divergence
