// block_choice.cpp: the user's functions, then those of libraries that loops call, then others that are reached.
#include "assembler/blocks/block_choice.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include "assembler/image/constants.hpp"

namespace mog {
namespace {

/// What g++ -O2 and LLVM manage, measured: MOG instructions per second of a core.
constexpr double instructions_per_second = 3500;
/// For the host, where somebody says how many seconds: what g++ takes for the interpreter beside blocks, and as many instructions a second
/// as it manages of any program (1900 of one that is little else but branches, to 4100). As long as g++ takes most of the time to begin,
/// this part is for blocks all the same.
constexpr double seconds_to_begin = 0.2, sure_instructions_per_second = 2000, least_part = 0.4;
/// Of these, to what messages of MPI go through.
constexpr double message_part_of_host = 0.5;
/// And for lanes, g++ -O1.
constexpr double lane_instructions_per_second = 800;
/// Of the user's program, for which a second more is worth its while in kernels and lanes, where nobody says how many: gcc takes ten for
/// as many.
constexpr double instructions_for_a_second = 150000;
/// For the host, where nobody says: of the user's functions so many instructions, which is all there are in programs of some ten thousand
/// lines, and of what is more this part. gcc takes as long for them.
constexpr double most_of_user = 60000, more_of_user = 0.05;
/// Of libraries so many instructions of what loops call, and for all that is reached besides them so many, less what loops have taken:
/// with main() alone that is what hello.c may cost, 0.4 s.
constexpr double most_of_called = 16000, most_of_reached = 1500;
/// Functions of the library without a block that is executed this often in a run, or with less than this part of all
/// instructions, come after all others.
constexpr double least_executions = 20, least_share = 1e-6;
/// Of the usual time the library gets no more than this part.
constexpr double library_part = 0.5;
/// What messages of MPI go through has time of its own, so much of what all others have. There are many functions on the way, past many
/// checks, so that estimates of how often they are called say little; and who sends messages does little else.
constexpr double message_part = 2;
/// Of long functions, blocks that are executed that much less than others come after all that is hot.
constexpr double rare = 0.002;
/// A block that is executed this much oftener than `main` begins is in a loop; in a function of its own, if that one begins as seldom.
constexpr double looping = 5;
/// The least calls of a function of the library for each time that `main` begins, if it is to be compiled for its own loops.
constexpr double least_calls = 0.1;

/// What is compiled together or not at all, as long as there is time: a function, or of a long one what is executed now and then, or the
/// rest.
struct Candidate {
    std::vector<std::uint32_t> blocks;
    double called = 0, executed = 0, instructions = 0;
    std::uint32_t distance = 0;  ///< of the library: calls from the user's code
};

class Chooser {
public:
    Chooser(const Image &image, const Execution &execution, const CodeBlocks &code, const BlockOptions &options, BlockPurpose purpose)
        : image_(image),
          execution_(execution),
          code_(code),
          origin_(image),
          options_(options),
          purpose_(purpose),
          chosen_(code.start.size()) {}

    std::vector<bool> run() {
        if (purpose_ == BlockPurpose::host && options_.host_compiles && !options_.build_seconds) return std::move(chosen_);
        find_candidates();
        if (purpose_ == BlockPurpose::lanes) take_for_lanes();
        else if (options_.build_seconds && purpose_ == BlockPurpose::host) take_for_host(*options_.build_seconds * options_.compiler_speed);
        else if (options_.build_seconds) take_for_kernels(*options_.build_seconds, true);
        else if (purpose_ == BlockPurpose::kernels) take_for_kernels(usual_seconds(), false);
        else take_usually();
        return std::move(chosen_);
    }

private:
    std::uint32_t count() const { return static_cast<std::uint32_t>(code_.start.size()); }
    std::uint32_t begin(std::uint32_t block) const { return code_.start[block]; }
    std::uint32_t end(std::uint32_t block) const { return code_.end(image_, block); }
    double heat(std::uint32_t block) const { return execution_.count[begin(block)]; }
    std::uint32_t size(std::uint32_t block) const { return end(block) - begin(block); }
    std::optional<std::uint32_t> named_block(std::uint32_t block) const { return mog::named_block(image_, code_, end(block) - 1); }
    double runs() const { return std::max(execution_.count[image_.entry], 1e-9); }
    bool for_lanes() const { return purpose_ == BlockPurpose::lanes; }
    std::uint32_t address(const CodeBlocks::Function &function) const { return image_.source_address[begin(function.first_block)]; }
    bool of_library(const CodeBlocks::Function &function) const { return origin_.of_library(address(function)); }

    /// MIPS instructions of the user's program.
    double user_instructions() const {
        double instructions = 0;
        for (const std::uint32_t address : image_.source_address) instructions += address != 0 && !origin_.of_library(address);
        return instructions;
    }
    /// In a large program more code is hot, and its compiler has taken long, too.
    double usual_seconds() const { return std::max(1.0, user_instructions() / instructions_for_a_second); }

    /// Where start-up code is estimated to begin again and again, so is all the rest: compared with `main`, it is once.
    double main_begins() const {
        for (const auto &function : code_.functions)
            if (function.symbol != CodeBlocks::no_symbol && image_.symbols[function.symbol].name == "main")
                return heat(function.first_block);
        return execution_.count[image_.entry];
    }

    /// By function: the user's, if any of them loops, and of the library's what a loop calls, or what that calls.
    std::vector<bool> called_from_loops() const {
        const auto &functions = code_.functions;
        const double once = main_begins();
        std::vector<bool> found(functions.size());
        std::vector<std::uint32_t> open;
        const auto follow_calls = [&](std::uint32_t f, double least) {
            for (std::uint32_t block = functions[f].first_block; block < functions[f].first_block + functions[f].blocks; ++block) {
                const auto target = named_block(block);
                if (heat(block) < least || !target) continue;
                const std::uint32_t to = code_.function[*target];
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
        const std::uint32_t function = code_.function[block];
        return function != from && code_.functions[function].first_block == block;
    }
    /// The function that a block calls by name, also at the end of a function that leaves the return to who is called.
    std::optional<std::uint32_t> callee(std::uint32_t block) const {
        const auto target = named_block(block);
        if (!target || (!is_call(image_, end(block) - 1) && !begins_other(*target, code_.function[block]))) return {};
        return code_.function[*target];
    }

    /// By function: how often it is called on the user's behalf, about. What the library does by itself, as at the start and the end,
    /// has loops and recursions too, but they end soon. A call can be no more frequent than the caller is called.
    std::vector<double> calls_for_user() const {
        std::vector<double> called(code_.functions.size());
        for (bool changes = true; changes;) {
            changes = false;
            for (std::uint32_t block = 0; block < count(); ++block) {
                const std::uint32_t function = code_.function[block];
                const auto to = callee(block);
                if (!to) continue;
                const double calls = of_library(code_.functions[function]) ? std::min(heat(block), called[function]) : heat(block);
                if (calls <= called[*to]) continue;
                called[*to] = calls;
                changes = true;
            }
        }
        return called;
    }

    /// By function: 0 for the user's, else how many calls away from them it is; the largest number if no calls lead there.
    std::vector<std::uint32_t> distances() const {
        std::vector<std::uint32_t> found(code_.functions.size(), std::numeric_limits<std::uint32_t>::max());
        std::deque<std::uint32_t> open;
        for (std::uint32_t f = 0; f < found.size(); ++f)
            if (!of_library(code_.functions[f])) found[f] = 0, open.push_back(f);
        for (; !open.empty(); open.pop_front()) {
            const CodeBlocks::Function &from = code_.functions[open.front()];
            for (std::uint32_t block = from.first_block; block < from.first_block + from.blocks; ++block) {
                // And where one function goes on into the next.
                auto to = callee(block);
                if (!to && block + 1 < count() && !ends_block(op_at(image_, end(block) - 1))) to = code_.function[block + 1];
                if (!to || found[*to] != std::numeric_limits<std::uint32_t>::max()) continue;
                found[*to] = found[open.front()] + 1;
                open.push_back(*to);
            }
        }
        return found;
    }

    /// The user's functions, by what is executed in them; of the library's, by how often they are called, what a loop calls and what
    /// loops itself, for what `main` calls once, such as a single printf, ends soon; and those that are reached besides, the nearest
    /// first. Whole: who leaves compiled code for a rare block comes back to it only at the next jump. Of long ones first the blocks that
    /// are executed now and then: an estimate of loops in loops is easily wrong by more than what makes a block rare.
    void find_candidates() {
        double total = 0;
        for (const double executed : execution_.count) total += executed;
        const bool for_host = purpose_ == BlockPurpose::host;
        const std::vector<bool> of_loops = for_lanes() || for_host ? called_from_loops() : std::vector<bool>();
        const std::vector<double> called = calls_for_user();
        const std::vector<std::uint32_t> distance = for_lanes() ? std::vector<std::uint32_t>() : distances();
        const double once = main_begins();
        for (std::uint32_t f = 0; f < code_.functions.size(); ++f) {
            const CodeBlocks::Function &function = code_.functions[f];
            const std::uint32_t last = function.first_block + function.blocks;
            double hottest = 0;
            for (std::uint32_t block = function.first_block; block < last; ++block) hottest = std::max(hottest, heat(block));
            const bool library = of_library(function), mpi = origin_.of_mpi(address(function));
            if (for_lanes() && !of_loops[f]) continue;
            const bool is_long = mog::is_long(image_, code_, function);
            Candidate candidate, seldom;
            for (Candidate *part : {&candidate, &seldom}) {
                part->called = library ? called[f] : 0;
                part->distance = for_lanes() ? 0 : distance[f];
            }
            for (std::uint32_t block = function.first_block; block < last; ++block) {
                Candidate &part = is_long && heat(block) < rare * hottest ? seldom : candidate;
                part.blocks.push_back(block);
                part.instructions += size(block);
                part.executed += heat(block) * size(block);
            }
            if (!library) {
                user_.push_back(std::move(candidate));
                if (!seldom.blocks.empty()) user_.push_back(std::move(seldom));
                continue;
            }
            if (mpi) {
                if (candidate.executed > 0) mpi_.push_back(std::move(candidate));
                continue;
            }
            const bool loops = called[f] >= least_calls * once && hottest >= looping * heat(function.first_block);
            const bool useful = hottest >= least_executions * runs() && !origin_.of_mpi_errors(address(function)) &&
                                (for_lanes() || called[f] >= looping * once || loops) && candidate.executed > least_share * total;
            // On the host there is time for all that a loop of the user's leads to: that printf seldom comes to the digits of a double is
            // a guess about printf, not about this program.
            const bool in_loop = for_host && of_loops[f] && !origin_.of_mpi_errors(address(function));
            (useful || in_loop ? called_ : reached_).push_back(std::move(candidate));
            if (!seldom.blocks.empty()) reached_.push_back(std::move(seldom));
        }
        const auto by_execution = [](const Candidate &a, const Candidate &b) { return a.executed > b.executed; };
        const auto by_calls = [&](const Candidate &a, const Candidate &b) {
            return a.called != b.called ? a.called > b.called : by_execution(a, b);
        };
        std::ranges::stable_sort(user_, by_execution);
        std::ranges::stable_sort(called_, by_calls);
        std::ranges::stable_sort(mpi_, by_calls);
        std::ranges::stable_sort(reached_, [&](const Candidate &a, const Candidate &b) {
            return a.distance != b.distance ? a.distance < b.distance : by_calls(a, b);
        });
    }

    static double instructions_in(const std::vector<Candidate> &candidates) {
        double sum = 0;
        for (const Candidate &candidate : candidates) sum += candidate.instructions;
        return sum;
    }

    /// Candidates in their order until `most` instructions are chosen; of the one that no longer fits, the blocks that are executed most.
    /// What a larger budget takes therefore has in it what a smaller one takes. Returns how many instructions were chosen.
    double take(const std::vector<Candidate> &candidates, double most) {
        double used = 0;
        for (const Candidate &candidate : candidates) {
            if (used + candidate.instructions <= most) {
                for (const std::uint32_t block : candidate.blocks) chosen_[block] = true;
                used += candidate.instructions;
                continue;
            }
            std::vector<std::uint32_t> blocks = candidate.blocks;
            std::ranges::stable_sort(blocks, [&](std::uint32_t a, std::uint32_t b) { return heat(a) > heat(b); });
            for (const std::uint32_t block : blocks) {
                if (used + size(block) > most) return used;
                chosen_[block] = true;
                used += size(block);
            }
        }
        return used;
    }

    /// As many as a driver's compiler manages in that time, and what messages go through.
    void take_for_kernels(double seconds, bool reached) {
        const double budget = seconds * instructions_per_second;
        take(mpi_, message_part * budget);
        take_for(budget, reached);
    }
    /// As many as g++ surely manages, where the estimates were made, in that time and no more.
    void take_for_host(double seconds) {
        const double budget = std::max(seconds - seconds_to_begin, least_part * seconds) * sure_instructions_per_second;
        take_for(budget - take(mpi_, message_part_of_host * budget), true);
    }
    /// So many instructions: the user's functions, then of libraries what loops call. `reached`: what is reached besides them has what is
    /// more than the usual time is enough for.
    void take_for(double budget, bool reached) {
        const double usual = std::min(budget, instructions_per_second);
        take(user_, budget);
        const double library = std::min(std::max(0.0, budget - instructions_in(user_)), budget - (1 - library_part) * usual);
        take(called_, library);
        if (reached) take(reached_, std::min(library - instructions_in(called_), budget - usual));
    }

    /// All of the user's functions, if they are not too many, and of the library's what is likely to be worth it.
    void take_usually() {
        const double all = instructions_in(user_);
        take(user_, std::min(all, most_of_user) + more_of_user * std::max(0.0, all - most_of_user));
        take(mpi_, message_part * usual_seconds() * instructions_per_second);
        take(reached_, most_of_reached - take(called_, most_of_called));
    }

    /// The user's functions that fit, then the library's: a part of one would send lanes to the interpreter one by one.
    void take_for_lanes() {
        const double most = usual_seconds() * lane_instructions_per_second;
        double used = 0, used_by_library = 0, used_by_mpi = 0;
        const auto take_whole = [&](const Candidate &candidate) {
            for (const std::uint32_t block : candidate.blocks) chosen_[block] = true;
        };
        for (const Candidate &candidate : user_) {
            if (candidate.executed <= 0 || used + candidate.instructions > most) continue;
            used += candidate.instructions;
            take_whole(candidate);
        }
        for (const Candidate &candidate : mpi_) {
            if (used_by_mpi + candidate.instructions > message_part * most) continue;
            used_by_mpi += candidate.instructions;
            take_whole(candidate);
        }
        for (const Candidate &candidate : called_) {
            if (used + candidate.instructions > most || used_by_library + candidate.instructions > library_part * most) continue;
            used += candidate.instructions;
            used_by_library += candidate.instructions;
            take_whole(candidate);
        }
    }

    const Image &image_;
    const Execution &execution_;
    const CodeBlocks &code_;
    const CodeOrigin origin_;
    const BlockOptions &options_;
    const BlockPurpose purpose_;
    std::vector<bool> chosen_;
    std::vector<Candidate> user_, mpi_, called_, reached_;  ///< the last two of libraries; each in the order in which they are taken
};

}  // namespace

CodeOrigin::CodeOrigin(const Image &image) {
    for (const Symbol &symbol : image.symbols) {
        if (symbol.name == "_mog_mpi") mpi_ = symbol.address;
        if (symbol.name == "_mog_mpi_errors") mpi_errors_ = symbol.address;
        if (symbol.name == "_mog_library") library_ = symbol.address;
    }
    mpi_ = std::min(mpi_, library_);
    mpi_errors_ = std::min(mpi_errors_, mpi_);
}

std::vector<bool> choose_blocks(const Image &image, const Execution &execution, const CodeBlocks &code, const BlockOptions &options,
                                BlockPurpose purpose) {
    if (options.all && purpose != BlockPurpose::lanes) return std::vector<bool>(code.start.size(), true);
    return Chooser(image, execution, code, options, purpose).run();
}

bool is_long(const Image &image, const CodeBlocks &code, const CodeBlocks::Function &function) {
    return code.end(image, function.first_block + function.blocks - 1) - code.start[function.first_block] > long_function;
}

bool is_apart(const Image &image, const CodeOrigin &origin, const CodeBlocks &code, std::uint32_t function, LibraryGroups libraries) {
    const CodeBlocks::Function &of = code.functions[function];
    if (libraries == LibraryGroups::joined || !origin.of_library(image.source_address[code.start[of.first_block]])) return false;
    return libraries == LibraryGroups::apart || is_long(image, code, of);
}

}  // namespace mog
