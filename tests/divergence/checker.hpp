// checker.hpp: what an analysis says of a program, checked while the machine runs it: at each definition and each reading, of the lanes
// that are active there. Theorems 1 to 3 of Sampaio's thesis, as properties.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assembler/divergence/analysis.hpp"
#include "assembler/usimd/machine.hpp"
#include "tests/divergence/rounds.hpp"

namespace mog::test {

/// How many claims were checked, and how often more was true than claimed: the oracle. Single lanes say nothing and are left out.
struct Counts {
    std::uint64_t claims = 0;              ///< of two lanes or more that something is known of
    std::uint64_t checks = 0;              ///< of three or more, whatever is known
    std::uint64_t equal = 0;               ///< all lanes had the same
    std::uint64_t claimed_uniform = 0;     ///< and it was said
    std::uint64_t on_a_line = 0;           ///< of those that differ: a polynomial of degree 1 fits
    std::uint64_t claimed_polynomial = 0;  ///< and it was said
};

class Checker {
public:
    explicit Checker(const divergence::Analysis &analysis) : analysis_(analysis), loops_(analysis) {}

    /// As a watcher of a machine: active lanes agree with what is said.
    void watch(const usimd::Machine &machine, const usimd::Step &step);
    /// The first claim that was false; empty: none.
    const std::string &failure() const { return failure_; }
    const Counts &counts() const { return counts_; }

    /// One thread at a time: what each had, by the place and the rounds of the loops around it. Then together().
    void watch_alone(const usimd::Machine &machine, const usimd::Step &step);
    void together();

private:
    struct Lane {
        std::int64_t thread, value;
    };
    enum class At : std::uint8_t { phi, reading, result };

    template <typename Visit>
    void each_claim(const usimd::Step &step, Visit visit) const;
    void check(const divergence::Fact &fact, const std::vector<Lane> &lanes, divergence::ValueIndex value, const char *what,
               divergence::BlockIndex block);

    const divergence::Analysis &analysis_;
    LoopRounds loops_;
    std::string failure_;
    Counts counts_;
    // Of one thread at a time.
    std::int64_t last_thread_ = -1;
    Rounds rounds_;
    struct Seen {
        divergence::Fact fact;
        divergence::ValueIndex value;
        const char *what;
        divergence::BlockIndex block;
        std::vector<Lane> lanes;
    };
    std::map<std::pair<std::pair<std::uint64_t, std::uint64_t>, Rounds::Counts>, Seen> seen_;
};

}  // namespace mog::test
