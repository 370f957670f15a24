// mog_facts.cpp: what the report of divergence says of a MOG program, against what PEs did, as the reference machine's trace has it.
//
//     mogrun --device=reference --trace ./program 2>&1 | mog_facts ./program
//     ... | mog_facts ./program no_etas        with that rule left out of the analysis, which has to be found
//
// Twice. By rounds: of PEs that came into a function together with the same in the registers that the report names, and are in the same
// round of each loop; that is what the report's hypotheses say. And plainly: of lanes of a warp that stand together as MOG has them, those
// at the lowest place first, which is how the thesis would have its rules read, and where they are wrong. Each execution of an instruction
// by lanes that can be compared is a fact for each lane but the first.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>
#include <unordered_map>

#include "assembler/analysis/effects.hpp"
#include "assembler/divergence/analysis.hpp"
#include "assembler/divergence_report/mog_kernels.hpp"
#include "assembler/image/encode.hpp"
#include "support/say.hpp"
#include "tests/divergence/rounds.hpp"

namespace {

using namespace mog;
using namespace mog::divergence;

constexpr std::size_t lanes_of_warp = 16;

/// One instruction as a PE has done it.
struct Done {
    std::uint32_t at = 0, acc = 0;
    std::uint64_t d = 0;
};

/// A value that an instruction of TEXT defines, in one of the functions: in ACC or D, or copied from ACC.
struct Defined {
    BlockIndex block;
    std::size_t index;
    Fact fact, by_thesis;
    bool is_d;  ///< in D, of 64 bits
};

struct Function {
    MogKernel of;
    Kernel shared;  ///< the same, if all PEs had one memory
    std::unique_ptr<Analysis> analysis, thesis;
    std::unique_ptr<test::LoopRounds> rounds;
    std::map<std::size_t, BlockIndex> block_at;                          ///< by position in the program
    std::unordered_map<std::uint32_t, std::vector<Defined>> defined_at;  ///< by TEXT index
    std::unordered_map<std::uint32_t, ValueIndex> made_at;               ///< likewise: the last value of all that it makes
    std::vector<std::size_t> incoming;                                   ///< registers that are taken for the same
};

struct Counted {
    std::uint64_t facts = 0, violated = 0;
    std::string first;  ///< that was
};

class Checker {
public:
    Checker(MogProgram program, Fault fault) : program_(std::move(program)) {
        options_.fault = fault;
        std::uint32_t at = 0;
        for (std::size_t position = 0; position < program_.blocks.size(); ++position) {
            begins_.push_back(at);
            for (std::size_t i = 0; i < program_.blocks[position].code.size(); ++i) position_of_.push_back(position);
            at = static_cast<std::uint32_t>(position_of_.size());
        }
        for (MogKernel &kernel : mog_kernels(program_, [](std::string_view) { return true; })) add(std::move(kernel));
    }

    void read(std::istream &trace) {
        std::string line;
        while (std::getline(trace, line)) {
            // "[RANK]  INDEX ADDRESS FUNCTION INSTRUCTION  ACC VALUE D VALUE"
            const std::size_t acc = line.rfind(" ACC ");
            if (line.empty() || line[0] != '[' || acc == std::string::npos) continue;
            std::uint32_t rank = 0;
            Done done;
            auto read = std::from_chars(line.data() + 1, line.data() + line.size(), rank);
            const char *from = read.ptr + 1;
            while (*from == ' ') ++from;
            std::from_chars(from, line.data() + line.size(), done.at);
            std::from_chars(line.data() + acc + 5, line.data() + line.size(), done.acc, 16);
            if (const std::size_t d = line.rfind(" D "); d != std::string::npos)
                std::from_chars(line.data() + d + 3, line.data() + line.size(), done.d, 16);
            if (ranks_.size() <= rank) ranks_.resize(rank + 1);
            ranks_[rank].push_back(done);
        }
    }

    Counted by_rounds() {
        Counted counted;
        // What the first PE had, by what was executed, where from and in which rounds.
        std::unordered_map<std::string, std::pair<std::int64_t, std::int64_t>> seen;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            Walk walk;
            for (const Done &done : ranks_[rank]) {
                enter(walk, done);
                const Function *const function = walk.calls.empty() ? nullptr : walk.calls.back().function;
                if (function != nullptr)
                    each_claim(*function, done, &Defined::fact, [&](const Defined &defined, std::int64_t value) {
                        const std::string key =
                            fmt::format("{} {} {} {}", walk.calls.back().key, text_of(walk.calls.back().rounds), done.at, defined.index);
                        const auto [first, is_new] = seen.try_emplace(key, static_cast<std::int64_t>(rank), value);
                        if (!is_new)
                            compare(counted, *function, defined, defined.fact, first->second, {static_cast<std::int64_t>(rank), value});
                    });
                leave(walk, done);
            }
        }
        return counted;
    }

    /// Values that lanes define, and those of them that are the same in all that stand together, if several do.
    struct Oracle {
        std::uint64_t values = 0, equal = 0;
        std::map<std::uint32_t, std::uint64_t> equal_at;  ///< by TEXT index
    };

    /// Of the values that are the same: how many are proved, or why not: where the chain of causes ends.
    std::map<std::string, std::uint64_t> proved_of(const Oracle &oracle) const {
        std::map<std::string, std::uint64_t> sums;
        for (const auto &[at, equal] : oracle.equal_at) sums[why_not(at)] += equal;
        return sums;
    }

    Counted plainly(Oracle &oracle) {
        Counted counted;
        for (std::size_t warp = 0; warp < ranks_.size(); warp += lanes_of_warp) {
            const std::size_t lanes = std::min(lanes_of_warp, ranks_.size() - warp);
            std::vector<std::size_t> next(lanes);
            std::vector<Walk> walks(lanes);
            for (;;) {
                std::uint32_t lowest = 0xffffffff;
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    if (next[lane] < ranks_[warp + lane].size()) lowest = std::min(lowest, ranks_[warp + lane][next[lane]].at);
                if (lowest == 0xffffffff) break;
                std::unordered_map<const Defined *, std::pair<std::int64_t, std::int64_t>> first;
                std::size_t together = 0;
                bool all_equal = true;
                Done one;
                const bool is_d = (info(instruction_at(lowest).op).writes & D) != 0;
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    const auto &trace = ranks_[warp + lane];
                    if (next[lane] >= trace.size() || trace[next[lane]].at != lowest) continue;
                    const Done &done = trace[next[lane]++];
                    if (together++ == 0) one = done;
                    all_equal &= is_d ? done.d == one.d : done.acc == one.acc;
                    Walk &walk = walks[lane];
                    enter(walk, done);
                    const Function *const function = walk.calls.empty() ? nullptr : walk.calls.back().function;
                    const auto rank = static_cast<std::int64_t>(warp + lane);
                    if (function != nullptr)
                        each_claim(*function, done, &Defined::by_thesis, [&](const Defined &defined, std::int64_t value) {
                            const auto [of, is_new] = first.try_emplace(&defined, rank, value);
                            if (!is_new) compare(counted, *function, defined, defined.by_thesis, of->second, {rank, value});
                        });
                    leave(walk, done);
                }
                if (!defines(lowest)) continue;
                oracle.values += together;
                if (together < 2 || !all_equal) continue;
                oracle.equal += together;
                oracle.equal_at[lowest] += together;
            }
        }
        return counted;
    }

private:
    struct Call {
        const Function *function = nullptr;
        std::string key;  ///< how control came here: calls around, each with its rounds
        std::size_t back_to = 0;
        test::Rounds rounds;
    };
    struct Walk {
        std::vector<Call> calls;
        std::map<std::size_t, std::uint32_t> registers;
        enum class Last : std::uint8_t { other, call, returns } last = Last::other;
        std::size_t last_position = 0;
    };

    void add(MogKernel kernel) {
        auto function = std::make_unique<Function>();
        function->of = std::move(kernel);
        function->analysis = std::make_unique<Analysis>(function->of.kernel, options_);
        function->rounds = std::make_unique<test::LoopRounds>(*function->analysis);
        function->shared = function->of.kernel;
        std::ranges::fill(function->shared.incoming, Incoming::uniform);  // as parameters of kernels are
        for (divergence::Block &block : function->shared.blocks)
            for (divergence::Instruction &instruction : block.code) instruction.memory = Memory::shared;
        function->thesis = std::make_unique<Analysis>(function->shared);
        const SsaForm &form = function->analysis->form();
        for (const Value &value : form.values)
            if (value.kind == Value::Kind::incoming && function->of.kernel.incoming[value.variable] == Incoming::uniform)
                function->incoming.push_back(value.variable);
        for (BlockIndex b = 0; b < function->of.origins.size(); ++b) {
            const MogKernel::Origin &origin = function->of.origins[b];
            if (origin.position == MogKernel::Origin::none || !form.is_reached(b)) continue;
            function->block_at.emplace(origin.position, b);
            const auto &code = function->of.kernel.blocks[b].code;
            for (std::size_t i = 0; i < code.size(); ++i) {
                if (form.result_of(b, i) != no_value)
                    function->made_at[begins_[origin.position] + origin.made_from[i]] = form.result_of(b, i);
                // The last one of several for ACC, and copies to a register from there.
                const bool is_last = i + 1 == code.size() || origin.made_from[i + 1] != origin.made_from[i];
                const bool is_acc = code[i].result == function->of.acc && is_last, is_d = code[i].result == function->of.d;
                const bool is_copy = code[i].operation == Operation::copy && code[i].operands[0] == Operand::of(function->of.acc);
                if (code[i].word == "call" || !(is_acc || is_d || is_copy)) continue;
                const ValueIndex value = form.result_of(b, i);
                function->defined_at[begins_[origin.position] + origin.made_from[i]].push_back(
                    {b, i, function->analysis->fact(value), function->thesis->fact(value), is_d});
            }
        }
        const std::size_t entry = function->of.origins.size() > 1 ? function->of.origins[1].position : MogKernel::Origin::none;
        functions_.emplace(entry, std::move(function));
    }

    /// Control comes to an instruction: of a function that was called, or where one has returned to.
    void enter(Walk &walk, const Done &done) {
        const std::size_t position = position_of_[done.at];
        if (done.at != begins_[position]) return;
        if (walk.last == Walk::Last::returns) {
            while (!walk.calls.empty() && walk.calls.back().back_to != position) walk.calls.pop_back();
            if (!walk.calls.empty()) walk.calls.pop_back();
        }
        const auto begins = functions_.find(position);
        const bool is_call = walk.last == Walk::Last::call;
        const bool is_inside =
            !walk.calls.empty() && walk.calls.back().function != nullptr && walk.calls.back().function->block_at.contains(position);
        if (is_call || (begins != functions_.end() && !is_inside)) {
            Call call;
            const std::string around = walk.calls.empty() ? "" : walk.calls.back().key + text_of(walk.calls.back().rounds);
            call.key = fmt::format("{:x}", std::hash<std::string>()(fmt::format("{} from {}", around, walk.last_position)));
            call.back_to = is_call ? walk.last_position + 1 : walk.calls.empty() ? MogKernel::Origin::none : walk.calls.back().back_to;
            // To another function for good: in the place of the one before.
            if (!is_call && !walk.calls.empty()) walk.calls.pop_back();
            if (begins != functions_.end()) {
                call.function = begins->second.get();
                for (const std::size_t incoming : call.function->incoming)
                    if (const auto known = walk.registers.find(incoming); known != walk.registers.end())
                        call.key += fmt::format(",{}={:x}", incoming, known->second);
            }
            walk.calls.push_back(std::move(call));
        }
        if (walk.calls.empty()) return;
        Call &call = walk.calls.back();
        if (call.function == nullptr) return;
        const auto block = call.function->block_at.find(position);
        if (block == call.function->block_at.end()) call.function = nullptr;  // code that is no function's
        else call.rounds.come_to(*call.function->rounds, block->second);
    }

    const mog::Instruction &instruction_at(std::uint32_t at) const {
        const std::size_t position = position_of_[at];
        return program_.blocks[position].code[at - begins_[position]];
    }

    std::string why_not(std::uint32_t at) const {
        for (const auto &[entry, function] : functions_) {
            const auto made = function->made_at.find(at);
            if (made == function->made_at.end()) continue;
            const Analysis &analysis = *function->analysis;
            ValueIndex value = made->second;
            if (const Fact &fact = analysis.fact(value); fact.is_top() || fact.is_uniform()) return "proved";
            for (;;) {
                const Cause &cause = analysis.why_not_uniform(value);
                switch (cause.kind) {
                    case Cause::Kind::operand:
                    case Cause::Kind::operation: value = cause.value; continue;
                    case Cause::Kind::rounds: return "rounds of a loop that lanes leave apart";
                    case Cause::Kind::meeting:
                    case Cause::Kind::mixture: return "ways that bring different values";
                    default: break;
                }
                const Value &source = analysis.form().values[value];
                if (source.kind != Value::Kind::result) return "what a function is given";
                const divergence::Instruction &instruction = function->of.kernel.blocks[source.block].code[source.index];
                if (instruction.operation == Operation::load) return "loads from the PE's memory";
                return instruction.word == "call"                    ? "what calls leave"
                       : instruction.operation == Operation::special ? "the PE's number"
                                                                     : "others";
            }
        }
        return "what has no variable in a kernel";
    }

    /// Whether an instruction makes a value that is in ACC afterwards, or a copy of that.
    bool defines(std::uint32_t at) const {
        const mog::Instruction &instruction = instruction_at(at);
        return may_write(info(instruction.op), instruction.operand, program_.roles).any();
    }

    void leave(Walk &walk, const Done &done) {
        const mog::Instruction &instruction = instruction_at(done.at);
        if (instruction.op == Op::sr_ || instruction.op == Op::srsp_) walk.registers[instruction.operand] = done.acc;
        else  // what else writes registers does not tell what
            std::erase_if(walk.registers, [written = may_write(info(instruction.op), instruction.operand, program_.roles)](
                                              const auto &known) { return written[known.first]; });
        walk.last = instruction.jump == JumpKind::call      ? Walk::Last::call
                    : instruction.jump == JumpKind::returns ? Walk::Last::returns
                                                            : Walk::Last::other;
        walk.last_position = position_of_[done.at];
    }

    template <typename Visit>
    void each_claim(const Function &function, const Done &done, Fact Defined::*of_whom, Visit visit) const {
        const auto defined = function.defined_at.find(done.at);
        if (defined == function.defined_at.end()) return;
        for (const Defined &of : defined->second)
            if (const Fact &fact = of.*of_whom; !fact.is_top() && !function.analysis->domain().is_divergent(fact))
                visit(of, of.is_d ? static_cast<std::int64_t>(done.d) : std::int64_t{static_cast<std::int32_t>(done.acc)});
    }

    /// Of two PEs, with their numbers: whether their values lie on the polynomial, as far as its coefficients are known.
    void compare(Counted &counted, const Function &function, const Defined &defined, const Fact &fact,
                 std::pair<std::int64_t, std::int64_t> a, std::pair<std::int64_t, std::int64_t> b) {
        const auto wrapped = [&](std::uint64_t value) { return defined.is_d ? value : value & 0xffffffffu; };
        std::uint64_t left_a = static_cast<std::uint64_t>(a.second), left_b = static_cast<std::uint64_t>(b.second);
        for (unsigned i = 1; i <= function.analysis->domain().degree(); ++i) {
            if (!fact.a[i].is_known()) return;
            std::uint64_t power_a = 1, power_b = 1;
            for (unsigned k = 0; k < i; ++k) {
                power_a *= static_cast<std::uint64_t>(a.first);
                power_b *= static_cast<std::uint64_t>(b.first);
            }
            left_a -= static_cast<std::uint64_t>(fact.a[i].number) * power_a;
            left_b -= static_cast<std::uint64_t>(fact.a[i].number) * power_b;
        }
        ++counted.facts;
        const bool holds = wrapped(left_a) == wrapped(left_b) &&
                           (!fact.a[0].is_known() || wrapped(left_a) == wrapped(static_cast<std::uint64_t>(fact.a[0].number)));
        if (holds) return;
        ++counted.violated;
        if (!counted.first.empty()) return;
        const divergence::Instruction &instruction = function.of.kernel.blocks[defined.block].code[defined.index];
        counted.first =
            fmt::format("{}{}: `{}` is said to be {}, but is {:#x} in PE {} and {:#x} in PE {}", function.of.kernel.name,
                        instruction.place.line == 0 ? "" : ", line " + std::to_string(instruction.place.line),
                        divergence::text_of(function.of.kernel, instruction), function.analysis->domain().text(fact),
                        wrapped(static_cast<std::uint64_t>(a.second)), a.first, wrapped(static_cast<std::uint64_t>(b.second)), b.first);
    }

    static std::string text_of(const test::Rounds &rounds) {
        std::string text;
        for (const auto &[loop, count] : rounds.counts()) text += fmt::format(":{}.{}", loop, count);
        return text;
    }

    MogProgram program_;
    AnalysisOptions options_;
    std::vector<std::uint32_t> begins_;     // by position: its first TEXT index
    std::vector<std::size_t> position_of_;  // by TEXT index
    std::map<std::size_t, std::unique_ptr<Function>> functions_;
    std::vector<std::vector<Done>> ranks_;
};

}  // namespace

int main(int argc, char **argv) {
    const std::map<std::string_view, Fault> faults = {{"no_etas", Fault::no_etas}, {"no_gammas", Fault::no_gammas}};
    if (argc < 2 || argc > 3 || (argc == 3 && !faults.contains(argv[2]))) {
        say("usage: mog_facts PROGRAM [no_etas|no_gammas] <trace\n");
        return 2;
    }
    const auto image = load_image(argv[1]);
    if (!image) {
        say("mog_facts: {}\n", image.error().text());
        return 1;
    }
    Checker checker(disassemble(*image), argc == 3 ? faults.at(argv[2]) : Fault::none);
    checker.read(std::cin);
    const auto tell = [](const char *what, const Counted &counted) {
        fmt::print("{}: {} facts, {} violated\n", what, counted.facts, counted.violated);
        if (!counted.first.empty()) fmt::print("  {}\n", counted.first);
    };
    const Counted rounds = checker.by_rounds();
    tell("by rounds", rounds);
    Checker::Oracle oracle;
    tell("plainly", checker.plainly(oracle));
    fmt::print("oracle: {} of {} values are the same in all lanes that stand together\n", oracle.equal, oracle.values);
    for (const auto &[why, count] : checker.proved_of(oracle))
        fmt::print("  {:5.1f} %  {}\n", 100 * static_cast<double>(count) / static_cast<double>(oracle.equal), why);
    return rounds.violated == 0 && rounds.facts != 0 ? 0 : 1;
}
