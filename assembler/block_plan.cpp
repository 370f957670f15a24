// block_plan.cpp: hot blocks, grouped by functions that call each other.
#include "assembler/block_plan.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "assembler/constants.hpp"
#include "assembler/generate.hpp"
#include "assembler/group_flow.hpp"

namespace mog {
namespace {

/// What g++ -O2 and LLVM manage, measured: MOG instructions per second of a core.
constexpr double instructions_per_second = 3500;
/// And for lanes, g++ -O1.
constexpr double lane_instructions_per_second = 800;
/// Of the user's program, for which a second more is worth its while, where nobody says how many: gcc takes ten for as many.
constexpr double instructions_for_a_second = 150000;
/// Functions of the library without a block that is executed this often in a run, or with less than this part of all
/// instructions, are not worth a compiler's time; nor is it worth a larger group to have the target of a rarer call in it.
constexpr double least_executions = 20, least_share = 1e-6;
/// The library gets no more than this part of the time.
constexpr double library_part = 0.5;
/// What messages of MPI go through has time of its own, so much of what all others have. There are many functions on the way, past many
/// checks, so that estimates of how often they are called say little; and who sends messages does little else.
constexpr double message_part = 2;
/// Of functions longer than this, in instructions, blocks that are executed that much less than others come after all that is hot.
constexpr std::uint32_t long_function = 800;
constexpr double rare = 0.002;
/// MOG instructions in a group, and in one of several functions.
constexpr std::uint32_t most_instructions = 1800, most_joined = 1700;
/// Functions that a call through a pointer is expected to lead to, to any of them; of more, to none.
constexpr std::size_t most_called_by_address = 16;
/// A block that is executed this much oftener than `main` begins is in a loop; in a function of its own, if that one begins as seldom.
constexpr double looping = 5;
/// The least calls of a function of the library for each time that `main` begins, if it is to be compiled for its own loops.
constexpr double least_calls = 0.1;

class Planner {
public:
    Planner(const Image &image, const Execution &execution, const BlockOptions &options, bool for_lanes)
        : image_(image), execution_(execution),
          all_(options.all && !for_lanes), for_lanes_(for_lanes) {
        plan_.code = code_blocks(image);
        for (const std::uint32_t at : plan_.code.start) plan_.executed.push_back(execution.count[at]);
        for (const Symbol &symbol : image.symbols) {
            if (symbol.name == "_mog_mpi") mpi_ = symbol.address;
            if (symbol.name == "_mog_mpi_errors") mpi_errors_ = symbol.address;
            if (symbol.name == "_mog_library") library_ = symbol.address;
        }
        mpi_ = std::min(mpi_, library_);
        mpi_errors_ = std::min(mpi_errors_, mpi_);
        budget_ = (options.build_seconds ? *options.build_seconds : usual_seconds()) *
                  (for_lanes ? lane_instructions_per_second : instructions_per_second);
    }

    BlockPlan run() {
        choose();
        group();
        find_entries();
        return std::move(plan_);
    }

private:
    std::uint32_t count() const { return static_cast<std::uint32_t>(plan_.code.start.size()); }
    std::uint32_t begin(std::uint32_t block) const { return plan_.code.start[block]; }
    std::uint32_t end(std::uint32_t block) const { return plan_.code.end(image_, block); }
    double heat(std::uint32_t block) const { return plan_.executed[block]; }
    std::uint32_t size(std::uint32_t block) const { return end(block) - begin(block); }
    std::optional<std::uint32_t> named_block(std::uint32_t block) const { return mog::named_block(image_, plan_.code, end(block) - 1); }
    double runs() const { return std::max(execution_.count[image_.entry], 1e-9); }

    /// In a large program more code is hot, and its compiler has taken long, too.
    double usual_seconds() const {
        double instructions = 0;
        for (const std::uint32_t address : image_.source_address) instructions += address != 0 && address < mpi_errors_;
        return std::max(1.0, instructions / instructions_for_a_second);
    }

    bool of_library(const CodeBlocks::Function &function) const { return image_.source_address[begin(function.first_block)] >= mpi_errors_; }
    /// Of these, what messages of MPI go through.
    bool of_mpi(const CodeBlocks::Function &function) const {
        const std::uint32_t address = image_.source_address[begin(function.first_block)];
        return address >= mpi_ && address < library_;
    }
    bool of_mpi_errors(const CodeBlocks::Function &function) const {
        return of_library(function) && image_.source_address[begin(function.first_block)] < mpi_;
    }

    /// Where start-up code is estimated to begin again and again, so is all the rest: compared with `main`, it is once.
    double main_begins() const {
        for (const auto &function : plan_.code.functions)
            if (function.symbol != CodeBlocks::no_symbol && image_.symbols[function.symbol].name == "main") return heat(function.first_block);
        return execution_.count[image_.entry];
    }

    /// By function: the user's, if any of them loops, and of the library's what a loop calls, or what that calls.
    std::vector<bool> called_from_loops() const {
        const auto &functions = plan_.code.functions;
        const double once = main_begins();
        std::vector<bool> found(functions.size());
        std::vector<std::uint32_t> open;
        const auto follow_calls = [&](std::uint32_t f, double least) {
            for (std::uint32_t block = functions[f].first_block; block < functions[f].first_block + functions[f].blocks; ++block) {
                const auto target = named_block(block);
                if (heat(block) < least || !target) continue;
                const std::uint32_t to = plan_.code.function[*target];
                if (found[to] || !of_library(functions[to])) continue;
                found[to] = true;
                open.push_back(to);
            }
        };
        bool loops = false;
        for (std::uint32_t f = 0; f < functions.size(); ++f) {
            if (of_library(functions[f])) continue;
            found[f] = true;
            for (std::uint32_t block = functions[f].first_block; block < functions[f].first_block + functions[f].blocks; ++block)
                loops |= heat(block) >= looping * once;
            follow_calls(f, looping * once);
        }
        if (!loops) return std::vector<bool>(functions.size());
        while (!open.empty()) {
            const std::uint32_t f = open.back();
            open.pop_back();
            follow_calls(f, 0);
        }
        return found;
    }

    /// True if another function than `from` begins with the block.
    bool begins_other(std::uint32_t block, std::uint32_t from) const {
        const std::uint32_t function = plan_.code.function[block];
        return function != from && plan_.code.functions[function].first_block == block;
    }

    /// By function: how often it is called on the user's behalf, about. What the library does by itself, as at the start and the end,
    /// has loops and recursions too, but they end soon. A call can be no more frequent than the caller is called.
    std::vector<double> calls_for_user() const {
        std::vector<double> called(plan_.code.functions.size());
        for (bool changes = true; changes;) {
            changes = false;
            for (std::uint32_t block = 0; block < count(); ++block) {
                const std::uint32_t function = plan_.code.function[block];
                const auto target = named_block(block);
                // Calls, also those at the end of a function that leave the return to who is called.
                if (!target || (!is_call(image_, plan_.code, end(block) - 1) && !begins_other(*target, function))) continue;
                double &callee = called[plan_.code.function[*target]];
                const double calls = of_library(plan_.code.functions[function]) ? std::min(heat(block), called[function]) : heat(block);
                if (calls <= callee) continue;
                callee = calls;
                changes = true;
            }
        }
        return called;
    }

    /// The user's functions, in the order of what is executed in them, then the library's, in that of how often they are
    /// called, if a loop calls them or they loop themselves: what `main` calls once, such as a single printf, ends soon. Whole: who
    /// leaves compiled code for a rare block comes back to it only at the next jump. Of long ones first the blocks that are
    /// executed now and then, and the user's others if there is time left: an estimate of loops in loops is easily wrong by more
    /// than what makes a block rare.
    void choose() {
        chosen_.assign(count(), all_);
        if (all_) return;
        double total = 0;
        for (const double executed : execution_.count) total += executed;

        const std::vector<bool> of_loops = for_lanes_ ? called_from_loops() : std::vector<bool>();
        struct Candidate {
            std::vector<std::uint32_t> blocks;
            bool of_library = false, of_mpi = false;
            double called = 0, executed = 0, instructions = 0;
        };
        const std::vector<double> called = calls_for_user();
        const double once = main_begins();
        std::vector<Candidate> candidates;
        for (std::uint32_t f = 0; f < plan_.code.functions.size(); ++f) {
            const CodeBlocks::Function &function = plan_.code.functions[f];
            const std::uint32_t last = function.first_block + function.blocks;
            double hottest = 0;
            for (std::uint32_t block = function.first_block; block < last; ++block) hottest = std::max(hottest, heat(block));
            Candidate candidate, seldom;
            candidate.of_library = of_library(function);
            candidate.of_mpi = of_mpi(function);
            if (candidate.of_library && !candidate.of_mpi && hottest < least_executions * runs()) continue;
            const bool loops = called[f] >= least_calls * once && hottest >= looping * heat(function.first_block);
            if (of_mpi_errors(function)) continue;
            if (for_lanes_ ? !of_loops[f] : candidate.of_library && !candidate.of_mpi && called[f] < looping * once && !loops) continue;
            const bool is_long = end(last - 1) - begin(function.first_block) > long_function;
            if (candidate.of_library) candidate.called = called[f];
            for (std::uint32_t block = function.first_block; block < last; ++block) {
                Candidate &part = is_long && heat(block) < rare * hottest ? seldom : candidate;
                part.blocks.push_back(block);
                part.instructions += size(block);
                part.executed += heat(block) * size(block);
            }
            if (!candidate.of_library && seldom.executed > 0) candidates.push_back(std::move(seldom));
            if (candidate.executed > (candidate.of_library && !candidate.of_mpi ? least_share * total : 0)) candidates.push_back(std::move(candidate));
        }
        std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
            return a.of_library != b.of_library ? b.of_library : a.called != b.called ? a.called > b.called : a.executed > b.executed;
        });
        double used = 0, used_by_library = 0, used_by_mpi = 0;
        for (const Candidate &candidate : candidates) {
            if (candidate.of_mpi) {
                if (used_by_mpi + candidate.instructions > message_part * budget_) continue;
                used_by_mpi += candidate.instructions;
            } else {
                const double library = candidate.of_library ? candidate.instructions : 0;
                if (used + candidate.instructions > budget_ || used_by_library + library > library_part * budget_) continue;
                used += candidate.instructions;
                used_by_library += library;
            }
            for (const std::uint32_t block : candidate.blocks) chosen_[block] = true;
        }
    }

    /// Functions that call each other often stay together, as many as fit into a group: a call between groups goes through
    /// tables, and registers through memory. Not for lanes, whose groups take a compiler longer.
    void join_callers() {
        std::vector<std::uint32_t> instructions(plan_.code.functions.size());
        together_.resize(instructions.size());
        std::iota(together_.begin(), together_.end(), 0u);
        if (for_lanes_) return;
        struct Call {
            std::uint32_t from, to;  ///< functions
            double count;
        };
        std::vector<Call> calls;
        // The user's functions that may be called through pointers.
        std::vector<std::uint32_t> by_address;
        for (std::uint32_t f = 0; f < plan_.code.functions.size(); ++f)
            if (chosen_[plan_.code.functions[f].first_block] && !of_library(plan_.code.functions[f]) && has_address(image_, plan_.code, f))
                by_address.push_back(f);
        if (by_address.size() > most_called_by_address) by_address.clear();
        for (std::uint32_t block = 0; block < count(); ++block) {
            if (!chosen_[block]) continue;
            const std::uint32_t function = plan_.code.function[block];
            instructions[function] += size(block);
            const auto add = [&](std::uint32_t to, double count) {
                if (to == function || !chosen_[plan_.code.functions[to].first_block]) return;
                if (count >= least_executions * runs() || !of_library(plan_.code.functions[to])) calls.push_back({function, to, count});
            };
            const std::uint32_t last = end(block) - 1;
            if (const auto target = named_block(block)) add(plan_.code.function[*target], heat(block));
            else if (op_at(image_, last) == Op::j_ && is_call(image_, plan_.code, last))
                for (const std::uint32_t to : by_address) add(to, std::min(heat(block), heat(plan_.code.functions[to].first_block)));
        }
        std::stable_sort(calls.begin(), calls.end(), [](const Call &a, const Call &b) { return a.count > b.count; });
        const auto first_of = [&](std::uint32_t function) {
            while (together_[function] != function) function = together_[function];
            return function;
        };
        for (const Call &call : calls) {
            const std::uint32_t from = first_of(call.from), to = first_of(call.to);
            if (from == to || instructions[from] + instructions[to] > most_joined) continue;
            together_[std::max(from, to)] = std::min(from, to);
            instructions[std::min(from, to)] += instructions[std::max(from, to)];
        }
        for (std::uint32_t function = 0; function < together_.size(); ++function) together_[function] = first_of(function);
    }

    /// The chosen blocks of functions that stay together; those of a long function in pieces.
    void group() {
        join_callers();
        plan_.group_of.assign(count(), 0);
        std::vector<std::uint32_t> open(plan_.code.functions.size());  // by the first of its functions: the group, from 1
        for (std::uint32_t block = 0; block < count(); ++block) {
            if (!chosen_[block]) continue;
            const std::uint32_t function = plan_.code.function[block];
            std::uint32_t &number = open[together_[function]];
            if (number == 0 || plan_.groups[number - 1].instructions + size(block) > most_instructions) {
                plan_.groups.emplace_back();
                number = static_cast<std::uint32_t>(plan_.groups.size());
            }
            BlockPlan::Group &group = plan_.groups[number - 1];
            if (group.blocks.empty() || plan_.code.function[group.blocks.back()] != function)
                group.name += (group.blocks.empty() ? "" : ", ") + name_of(plan_.code.functions[function]);
            group.instructions += size(block);
            group.blocks.push_back(block);
            plan_.group_of[block] = number;
        }
    }

    std::string name_of(const CodeBlocks::Function &function) const {
        return function.symbol == CodeBlocks::no_symbol ? "code without a name" : image_.symbols[function.symbol].name;
    }

    /// Control comes in where a jump from elsewhere leads, directly or through a register, and at the heads of loops, that
    /// the interpreter may hand over to compiled code in the middle of one.
    void find_entries() {
        std::vector<bool> entered(count());
        entered[plan_.code.block_of[image_.entry]] = true;
        const auto edge = [&](std::uint32_t from, std::uint32_t to) {
            if (plan_.group_of[from] != plan_.group_of[to]) entered[to] = true;
        };
        for (std::uint32_t block = 0; block < count(); ++block) {
            if (const auto target = named_block(block)) edge(block, *target);
            if (!ends_block(op_at(image_, end(block) - 1)) && block + 1 < count()) edge(block, block + 1);
        }
        const std::vector<bool> cases = only_cases();
        for (const std::uint32_t target : image_.code_map)
            if (target < image_.text.size() && !cases[plan_.code.block_of[target]]) entered[plan_.code.block_of[target]] = true;
        for (std::uint32_t group = 1; group <= plan_.groups.size(); ++group) {
            const GroupFlow flow(image_, plan_, group);
            for (const std::uint32_t head : flow.heads()) entered[head] = true;
        }
        std::vector<std::uint32_t> used(plan_.groups.size() + 1);
        for (std::uint32_t block = 0; block < count(); ++block)
            if (const std::uint32_t group = plan_.group_of[block]; group != 0 && entered[block])
                plan_.entries.push_back({begin(block), group, used[group]++});
    }

    /// By block: whether it has a code address just for switches of its own group.
    std::vector<bool> only_cases() const {
        std::vector<bool> found(count());
        for (const CodeBlocks::Function &function : plan_.code.functions) {
            std::vector<std::uint32_t> cases;
            std::uint32_t group = 0;
            bool are_together = true;
            for (std::uint32_t block = function.first_block; block < function.first_block + function.blocks; ++block) {
                const std::uint32_t last = end(block) - 1;
                if (op_at(image_, last) != Op::j_ || is_return(image_, last) || is_call(image_, plan_.code, last)) continue;
                are_together &= plan_.group_of[block] != 0 && (cases.empty() || plan_.group_of[block] == group);
                group = plan_.group_of[block];
                if (group == 0 || !cases.empty()) continue;
                for (const CodeAddress &target : known_targets(image_, plan_, group, last)) cases.push_back(plan_.code.block_of[target.to]);
            }
            if (!are_together) continue;
            for (const std::uint32_t block : cases)
                if (block != function.first_block) found[block] = true;
        }
        return found;
    }

    const Image &image_;
    const Execution &execution_;
    double budget_ = 0;
    bool all_, for_lanes_;
    // Where MPI's library begins, with what is for errors only, where what messages go through does, and all other libraries: symbols of
    // the linker script mog.ld.
    std::uint32_t mpi_errors_ = 0xffffffff, mpi_ = 0xffffffff, library_ = 0xffffffff;
    BlockPlan plan_;
    std::vector<bool> chosen_;
    std::vector<std::uint32_t> together_;  ///< by function: the first of those that are in its group
};

std::vector<std::uint8_t> bytes_of(const std::vector<BlockPlan::Entry> &entries) {
    std::vector<std::uint32_t> words;
    for (const BlockPlan::Entry &entry : entries) words.insert(words.end(), {entry.at, entry.group, entry.number});
    std::vector<std::uint8_t> bytes(4 * words.size());
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

}  // namespace

BlockPlan plan_blocks(const Image &image, const Execution &execution, const BlockOptions &options) {
    return Planner(image, execution, options, false).run();
}

BlockPlan plan_lanes(const Image &image, const Execution &execution, const BlockOptions &options, const BlockPlan &blocks) {
    // Lanes compute natively and round to nearest.
    if (options.lanes == Simd::none || keeps_fcsr(image) || blocks.empty()) return {};
    if (options.all_in_lanes) return blocks;
    return Planner(image, execution, options, true).run();
}

std::vector<std::uint8_t> write_entries(const BlockPlan &plan) {
    return bytes_of(plan.entries);
}

std::vector<std::uint8_t> write_places(const BlockPlan &plan) {
    std::vector<BlockPlan::Entry> places;
    for (std::uint32_t g = 0; g < plan.groups.size(); ++g)
        for (std::uint32_t i = 0; i < plan.groups[g].blocks.size(); ++i)
            places.push_back({plan.code.start[plan.groups[g].blocks[i]], g + 1, i});
    return bytes_of(places);
}

Simd simd_of(const Image &image) {
    const auto product = image.products.find("simd");
    if (product == image.products.end() || !image.products.contains("places")) return Simd::none;
    return simd_named({reinterpret_cast<const char *>(product->second.data()), product->second.size()}).value_or(Simd::none);
}

std::vector<std::uint32_t> entry_table(const Image &image, const char *name) {
    const auto product = image.products.find(name);
    if (product == image.products.end() || product->second.empty()) return {};
    std::vector<std::uint32_t> words(product->second.size() / 4), table(image.text.size() + 1);
    std::memcpy(words.data(), product->second.data(), 4 * words.size());
    for (std::size_t i = 0; i + 2 < words.size(); i += 3)
        if (words[i] < image.text.size()) table[words[i]] = words[i + 1] << 16 | words[i + 2];
    return table;
}

}  // namespace mog
