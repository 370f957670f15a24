// fusion.cpp: the choice of superinstructions.
//
// Given a set of them, each TEXT index may begin with any that fits there, and the best choice at one index depends on where
// the others leave a PE. That is a Markov decision process whose cost is one per dispatch; it is solved by value iteration
// with a discount (Puterman, "Markov Decision Processes", 1994, chapter 6). The set grows by the sequence that saves most
// dispatches for its length: the gain of one step of policy improvement, summed over the places where PEs are dispatched
// now. Greedy choice by frequency is usual for this covering problem (Proebsting, "Optimizing an ANSI C Interpreter with
// Superoperators", 1995).
#include "assembler/order/fusion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "assembler/image/constants.hpp"

namespace mog {
namespace {

using Index = std::uint32_t;

/// Per instruction: far enough to see around a loop or two, near enough to converge in a few sweeps.
constexpr double discount = 0.97;

/// Of the count of dispatches: to choose by, and to tell, in a program not too large.
constexpr int few_rounds = 4, some_rounds = 8, many_rounds = 60;
constexpr std::uint32_t large_program = 100'000;
constexpr double most_visits = 4e6;  // of places, in all rounds

/// A sequence of at most 8 opcodes as a number.
using Key = std::uint64_t;
static_assert(most_parts <= sizeof(Key));

std::size_t length_of(Key key) {
    std::size_t length = 0;
    for (; key != 0; key >>= 8) ++length;
    return length;
}

std::vector<Op> parts_of(Key key) {
    std::vector<Op> parts;
    for (; key != 0; key >>= 8) parts.insert(parts.begin(), static_cast<Op>(key & 0xff));
    return parts;
}

Key key_of(const std::vector<Op> &parts) {
    Key key = 0;
    for (const Op part : parts) key = key << 8 | static_cast<Key>(part);
    return key;
}

class Fusion {
public:
    Fusion(const Image &image, const Execution &execution)
        : image_(image),
          execution_(execution),
          next_(static_successors(image)),
          target_(size(), unknown_index),
          value_(size()),
          choice_(size()),
          matches_(size()),
          counted_(size()),
          is_counted_(size(), true),
          dispatched_(size()),
          from_before_(size()),
          from_behind_(size()),
          coming_(size()) {
        std::iota(counted_.begin(), counted_.end(), Index{0});
        for (Index i = 0; i < size(); ++i) {
            const Op op = op_at(i);
            // After a system call a PE goes on with the next instruction, in another launch.
            if (info(op).operand == OperandKind::Label && !ends_block(op)) target_[i] = constant_at(image, i);
            if (always_stops(op) && !ends_block(op)) target_[i] = i + 1;
        }
        std::vector<double> taken(size());  // how often a PE goes on there
        for (const Execution::Jump &jump : execution.jumps)
            if (jump.to == target_[jump.from]) taken[jump.from] += jump.count;
        for (Index i = 0; i < size(); ++i)
            stays_.push_back(execution.count[i] > 0 ? std::clamp(1 - taken[i] / execution.count[i], 0.0, 1.0) : 0.5);
    }

    Index size() const { return static_cast<Index>(image_.text.size()); }

    /// Adds a superinstruction to choose from.
    void add(const Superinstruction &super) {
        supers_.push_back(super);
        for (Sequence &sequence : sequences_) sequence.is_taken |= sequence.key == key_of(super.parts);
        if (with_op_.empty()) {
            with_op_.resize(256);
            for (Index i = 0; i < size(); ++i) with_op_[static_cast<std::uint8_t>(op_at(i))].push_back(i);
        }
        for (const Index i : with_op_[static_cast<std::uint8_t>(super.parts.front())])
            if (matches(i, super)) matches_[i].push_back(static_cast<std::uint16_t>(supers_.size()));
    }

    /// By TEXT index: the superinstruction that begins there, its number from 1, or 0. Better with each sweep.
    const std::vector<std::uint16_t> &choose(int sweeps) {
        for (int sweep = 0; sweep < sweeps; ++sweep)
            for (Index i = size(); i-- > 0;) choose_at(i);
        return choice_;
    }
    /// The same for some places, ascending.
    void choose(int sweeps, const std::vector<Index> &places) {
        for (int sweep = 0; sweep < sweeps; ++sweep)
            for (std::size_t k = places.size(); k-- > 0;) choose_at(places[k]);
    }

    /// What was chosen elsewhere, of these.
    void take_choice(const std::vector<Superinstruction> &supers, std::vector<std::uint16_t> choice) {
        supers_ = supers;
        choice_ = std::move(choice);
    }

    /// Dispatches are counted only of these places, and of all from which a superinstruction may reach them: a part of a large program.
    void count_only(const std::vector<Index> &places) {
        // By index: the last place before it on a path, and by place: the one before that.
        std::vector<Index> before(size(), unknown_index), another(size(), unknown_index), waiting = places;
        for (Index i = 0; i < size(); ++i)
            if (next_[i] != unknown_index) another[i] = std::exchange(before[next_[i]], i);
        is_counted_.assign(size(), false);
        while (!waiting.empty()) {
            const Index place = waiting.back();
            waiting.pop_back();
            if (is_counted_[place]) continue;
            is_counted_[place] = true;
            for (Index i = before[place]; i != unknown_index; i = another[i]) waiting.push_back(i);
        }
        std::erase_if(counted_, [&](Index i) { return !is_counted_[i]; });
    }

    /// How often each index is dispatched on: how often it is executed, less how often it is reached as a part of what
    /// was dispatched before. What comes to an index from places behind it is known from the round before only, hence
    /// the rounds; half of the change is taken, for a loop that superinstructions fill in turns would swing.
    const std::vector<double> &dispatches(int rounds) {
        constexpr double enough = 1e-4;
        std::vector<Index> reached;  // from places behind them, which few are
        for (int round = 0; round < rounds; ++round) {
            double all = 0;
            for (const Index i : counted_) {
                const double d = execution_.count[i] - std::exchange(from_before_[i], 0) - from_behind_[i];
                dispatched_[i] = d <= 1e-9 * execution_.count[i] ? 0 : d;
                all += dispatched_[i];
                if (choice_[i] == 0) continue;
                double reach = dispatched_[i];
                Index at = i;
                for (std::size_t k = length_at(i); k > 1 && reach > 0; --k) {
                    reach *= stays_[at];
                    at = next_[at];
                    if (!is_counted_[at]) break;
                    if (at <= i && coming_[at] == 0) reached.push_back(at);
                    (at > i ? from_before_ : coming_)[at] += reach;
                }
            }
            std::sort(reached.begin(), reached.end());
            reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
            double change = 0;
            for (const Index i : reached) {
                const double behind = std::exchange(coming_[i], 0);
                change += std::abs(behind - from_behind_[i]);
                from_behind_[i] = (from_behind_[i] + behind) / 2;
            }
            if (change <= enough * all) break;
        }
        for (const Index i : reached) from_behind_[i] = 0;
        return dispatched_;
    }

    /// A sequence that may become a superinstruction, and the dispatches that it would save, were it added.
    struct Sequence {
        Key key;
        double saves = 0;
        bool is_taken = false;  ///< it is one
    };
    /// Those that begin at the places worth a look; what is not worth it may be there with 0.
    std::span<const Sequence> savings(const std::vector<Index> &hot) {
        if (sequence_at_.empty()) find_sequences(hot);
        const std::vector<double> &dispatched = dispatches(size() >= large_program ? 1 : execution_.is_guess ? few_rounds / 2 : few_rounds);
        for (Sequence &sequence : sequences_) sequence.saves = 0;
        for (std::size_t k = 0; k < hot.size(); ++k) {
            const Index start = hot[k];
            if (dispatched[start] <= 0) continue;
            Served served{start};
            for (std::size_t length = 1; length <= most_parts && served.next != unknown_index; ++length) {
                serve(served);
                if (length == 1) continue;
                const double gain = value_[start] - cost_of(served);
                if (gain > 1e-6) sequences_[sequence_at_[k][length - 2]].saves += dispatched[start] * gain;
            }
        }
        return sequences_;
    }

    const std::vector<Superinstruction> &supers() const { return supers_; }

private:
    /// Which they are does not change, so they have numbers: they are looked up once, and not for each superinstruction.
    void find_sequences(const std::vector<Index> &hot) {
        std::unordered_map<Key, std::uint32_t> number;
        sequence_at_.resize(hot.size());
        for (std::size_t k = 0; k < hot.size(); ++k) {
            Key key = 0;
            Index at = hot[k];
            for (std::size_t length = 1; length <= most_parts && at != unknown_index; ++length, at = next_[at]) {
                key = key << 8 | static_cast<Key>(op_at(at));
                if (length == 1) continue;
                const auto [known, is_new] = number.try_emplace(key, static_cast<std::uint32_t>(sequences_.size()));
                if (is_new) sequences_.push_back({key});
                sequence_at_[k][length - 2] = known->second;
            }
        }
    }

    void choose_at(Index i) {
        value_[i] = cost_from(i, 1);
        choice_[i] = 0;
        for (const std::uint16_t super : matches_[i]) {
            const double cost = cost_from(i, supers_[super - 1u].parts.size());
            if (cost >= value_[i]) continue;
            value_[i] = cost;
            choice_[i] = super;
        }
    }

    Op op_at(Index index) const { return static_cast<Op>(image_.text[index] >> 8); }

    bool matches(Index index, const Superinstruction &super) const {
        for (const Op part : super.parts) {
            if (index == unknown_index || op_at(index) != part) return false;
            index = next_[index];
        }
        return true;
    }

    std::size_t length_at(Index index) const { return choice_[index] == 0 ? 1 : supers_[choice_[index] - 1u].parts.size(); }

    /// Instructions that are served at once: what they cost, and the part of the PEs, discounted, that is still together.
    struct Served {
        Index next;
        double cost = 1, reach = 1;
    };
    /// One more, which must be there.
    void serve(Served &served) const {
        const Index index = served.next;
        served.reach *= discount;
        served.next = next_[index];
        if (target_[index] == unknown_index) return;
        const double stay = served.next == unknown_index ? 0 : stays_[index];
        served.cost += served.reach * (1 - stay) * value_[target_[index]];
        served.reach *= stay;
    }
    double cost_of(const Served &served) const {
        return served.next == unknown_index ? served.cost : served.cost + served.reach * value_[served.next];
    }

    /// Discounted dispatches to come, if the instructions from `index` on are served `length` at once, this dispatch
    /// included.
    double cost_from(Index index, std::size_t length) const {
        Served served{index};
        for (; length != 0 && served.next != unknown_index; --length) serve(served);
        return cost_of(served);
    }

    const Image &image_;
    const Execution &execution_;
    std::vector<Index> next_;    // static_successors
    std::vector<Index> target_;  // where else a PE may go on
    std::vector<double> stays_;  // the part of those PEs at an index that go on along the path
    std::vector<Superinstruction> supers_;
    std::vector<double> value_;  // discounted dispatches to come
    std::vector<std::uint16_t> choice_;
    std::vector<std::vector<std::uint16_t>> matches_;
    std::vector<std::vector<Index>> with_op_;  // where an opcode stands
    // Of dispatches() and savings(), which are called once for each superinstruction. By index: how often it is dispatched on, and reached
    // as a part from places before it, from places behind it, and from these in the round that is under way. All but the first are 0
    // between calls.
    std::vector<Index> counted_;  // ascending
    std::vector<bool> is_counted_;
    std::vector<double> dispatched_, from_before_, from_behind_, coming_;
    std::vector<Sequence> sequences_;
    std::vector<std::array<std::uint32_t, most_parts - 1>> sequence_at_;  // by hot place and length, from 2 on: its number
};

/// The most frequent places, ascending: they decide.
std::vector<Index> hot_places(const Execution &execution) {
    constexpr std::size_t most = 2048;
    std::vector<Index> hot;
    for (Index i = 0; i < execution.count.size(); ++i)
        if (execution.count[i] > 0) hot.push_back(i);
    if (hot.size() > most) {
        std::nth_element(hot.begin(), hot.begin() + most, hot.end(), [&](Index a, Index b) {
            return execution.count[a] != execution.count[b] ? execution.count[a] > execution.count[b] : a < b;
        });
        hot.resize(most);
    }
    std::sort(hot.begin(), hot.end());
    return hot;
}

/// Of the sequences that may still be added the one that saves most for its length; 0 if none saves enough.
Key best_sequence(std::span<const Fusion::Sequence> sequences, double least, std::size_t most_length) {
    Key best = 0;
    double best_score = 0;
    for (const auto &[key, saves, is_taken] : sequences) {
        if (saves < least || is_taken) continue;
        const std::size_t length = length_of(key);
        if (length > most_length) continue;
        // A compiler pays for each subinterpreter and for each part.
        constexpr double fixed_cost = 6;
        const double score = saves / (static_cast<double>(length) + fixed_cost);
        if (score < best_score || (score == best_score && key >= best)) continue;
        best = key;
        best_score = score;
    }
    return best;
}

}  // namespace

FusionPlan plan_fusion(const Image &image, const Execution &execution, const FusionOptions &options) {
    constexpr double least_gain = 0.001;  // of all executed instructions; less is not worth a subinterpreter
    const int first_sweeps = image.text.size() >= large_program ? 2 : execution.is_guess ? 4 : 12;
    constexpr int sweeps = 3;
    constexpr std::size_t stage_counts[] = {4, 8, 16, 24};
    FusionPlan plan;
    plan.stages.emplace_back();
    const std::vector<Op> codes = free_opcodes();
    const std::size_t most = std::min<std::size_t>(options.count.value_or(0xffffffff), codes.size());
    double total = 0;
    for (const double executed : execution.count) total += executed;
    if (most == 0 || total <= 0) return plan;
    const std::vector<Index> hot = hot_places(execution);

    Fusion fusion(image, execution);
    fusion.count_only(hot);
    fusion.choose(first_sweeps);
    const auto end_stage = [&] {
        FusionPlan::Stage stage{fusion.supers().size(), {}};
        for (const std::uint16_t super : fusion.choose(first_sweeps))
            stage.fused.push_back(super == 0 ? 0 : static_cast<std::uint8_t>(fusion.supers()[super - 1u].code));
        plan.stages.push_back(std::move(stage));
    };
    // A guess tries none of them (choose_fusion); in a program not too large each also settles the places that are not hot.
    const bool tries_stages = !options.count && !(execution.is_guess && image.text.size() >= large_program);
    std::size_t parts = 0;
    while (fusion.supers().size() < most && parts < options.parts) {
        const Key best = best_sequence(fusion.savings(hot), least_gain * total, options.parts - parts);
        if (best == 0) break;
        fusion.add({codes[fusion.supers().size()], parts_of(best)});
        parts += fusion.supers().back().parts.size();
        fusion.choose(sweeps, hot);
        if (tries_stages && std::ranges::find(stage_counts, fusion.supers().size()) != std::end(stage_counts)) end_stage();
    }
    if (fusion.supers().size() != plan.stages.back().count) end_stage();
    plan.superinstructions = fusion.supers();
    return plan;
}

void fuse(Image &image, const FusionPlan &plan, std::size_t stage) {
    image.superinstructions = plan.superinstructions;
    image.fused_switch = plan.stages.back().fused;
    image.fused_sequence = plan.stages[stage].fused;
    // One that longer ones have made superfluous everywhere.
    bool stands[256] = {};
    for (const auto *fused : {&image.fused_switch, &image.fused_sequence})
        for (const std::uint8_t code : *fused) stands[code] = true;
    std::erase_if(image.superinstructions, [&](const Superinstruction &s) { return !stands[static_cast<std::uint8_t>(s.code)]; });
}

std::vector<double> dispatches(const Image &image, const Execution &execution, Shape shape) {
    Fusion fusion(image, execution);
    std::vector<std::uint16_t> number(256), choice(image.text.size());
    for (std::size_t k = 0; k < image.superinstructions.size(); ++k)
        number[static_cast<std::uint8_t>(image.superinstructions[k].code)] = static_cast<std::uint16_t>(k + 1);
    const auto &fused = fused_opcodes(image, shape);
    for (std::size_t i = 0; i < fused.size(); ++i) choice[i] = number[fused[i]];
    fusion.take_choice(image.superinstructions, std::move(choice));
    const double rounds = most_visits / static_cast<double>(image.text.size() + 1);
    return fusion.dispatches(static_cast<int>(std::clamp<double>(rounds, few_rounds, execution.is_guess ? some_rounds : many_rounds)));
}

double instructions_per_dispatch(const Image &image, const Execution &execution, Shape shape) {
    if (fused_opcodes(image, shape).empty()) return 1;
    double executed = 0, dispatched = 0;
    for (const double count : execution.count) executed += count;
    for (const double count : dispatches(image, execution, shape)) dispatched += count;
    return dispatched > 0 ? executed / dispatched : 1;
}

}  // namespace mog
