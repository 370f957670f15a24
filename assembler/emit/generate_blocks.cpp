// generate_blocks.cpp: a group of blocks becomes a function. The bodies of the instructions are isa.def's, with registers,
// constants and targets filled in.
#include "assembler/emit/generate_blocks.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "assembler/blocks/access_windows.hpp"
#include "assembler/image/constants.hpp"
#include "assembler/blocks/convergence.hpp"
#include "assembler/emit/generate.hpp"
#include "assembler/blocks/group_flow.hpp"
#include "assembler/blocks/nan_results.hpp"
#include "assembler/blocks/pass_counts.hpp"
#include "assembler/image/facts.hpp"
#include "support/text.hpp"

namespace mog {
namespace {

void replace_all(std::string &text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) text.replace(at, what.size(), by);
}

class GroupWriter {
public:
    GroupWriter(const Image &image, const BlockPlan &plan, BlockForm form, std::uint32_t number)
        : image_(image), plan_(plan), lanes_(form == BlockForm::lanes), warp_(form == BlockForm::warp), group_(plan.groups[number - 1]),
          number_(number), stops_(stop_effects(image)) {
        if (!lanes_) flow_.emplace(image, plan, number);
    }

    std::string write() {
        find_registers();
        if (lanes_)
            for (const std::uint32_t b : group_.blocks) entries_.push_back(plan_.code.start[b]);
        else
            for (const BlockPlan::Entry &entry : plan_.entries)
                if (entry.group == number_) entries_.push_back(entry.at);
        find_targets();
        if (!lanes_) counts_.emplace(image_, plan_, number_, *flow_);
        if (warp_) find_convergence();
        nans_.emplace(image_, plan_, number_, is_pair_, [&](std::uint32_t b) {
            return lanes_ || targets_.contains(plan_.code.start[b]) || counts_->asks(b);
        }, lanes_ ? nullptr : &*flow_);
        find_runs();
        std::string blocks;
        for (std::size_t i = 0; i < group_.blocks.size(); ++i)
            blocks += block(group_.blocks[i], i + 1 < group_.blocks.size() ? group_.blocks[i + 1] : none);

        std::string text = fmt::format("/* {}: {} blocks, {} instructions */\nGROUP({})\n{{\n", group_.name, group_.blocks.size(),
                                       group_.instructions, number_);
        if (lanes_) text += fmt::format("    enum {{ uses_d = {} }};\n", uses_d_ ? 1 : 0);
        text += "    GROUP_STATE\n";
        for (std::uint32_t r = 0; r < 256; ++r) {
            if (is_pair_[r]) text += fmt::format("    u64 p{0} = TWO(REG({0}u), REG({1}u));\n", r, r + 1);
            else if (used_[r] && !in_pair(r)) text += fmt::format("    u32 r{0} = REG({0}u);\n", r);
        }
        if (warp_) text += convergence_->leads() ? "    [[maybe_unused]] u32 stopped = 0u, led_to = 0u;\n" : "    [[maybe_unused]] u32 stopped = 0u;\n";
        for (std::size_t i = 0; i < windows_.windows.size(); ++i) text += fmt::format("    WINDOW(w{})\n", i);
        if (lanes_) {
            text += "    SELECT\n";
            for_each_written([&](std::uint32_t r, bool pair) {
                text += fmt::format("    PARTED{0}({1}u, {2}{1})\n", pair ? "_PAIR" : "", r, pair ? 'p' : 'r');
            });
            text += fmt::format("    SELECTED({}u) {{\n    default: goto leave;\n", number_);
        } else {
            if (warp_) text += "#undef COLD\n#define COLD cold\n";
            text += "    switch (entry) {\n    default: break;\n";
        }
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const std::uint32_t way = warp_ ? plan_.code.start[convergence_->way_in(plan_.code.block_of[entries_[i]])] : entries_[i];
            const std::string lead = way == entries_[i] ? std::string() : fmt::format("led_to = {}u; ", i + 1);
            const std::uint32_t b = plan_.code.block_of[entries_[i]];
            const std::string question = lanes_ || counts_->asks(b) ? std::string() : enter(b) + ' ';
            text += fmt::format("    case {}u: {}{}goto b{};\n", i, question, lead, way);
        }
        text += "    }\n" + blocks;
        text += lanes_ ? "  cold: __attribute__((unused));\n" : "  cold:\n    s->cold = 1u;\n";
        if (const auto &sets = nans_->stop_sets(); !sets.empty()) {
            text += "    switch (s->nans) {\n    default: break;\n";
            for (std::size_t i = 0; i < sets.size(); ++i) text += fmt::format("    case {}: {} break;\n", i + 1, default_nans(sets[i], "_LEFT"));
            text += "    }\n";
        }
        if (lanes_ || leaves_) text += "  leave:\n";
        for_each_written([&](std::uint32_t r, bool pair) {
            if (pair) text += fmt::format("    SET_REG({0}u, LOW(p{0})) SET_REG({1}u, HIGH(p{0}))\n", r, r + 1);
            else text += fmt::format("    SET_REG({0}u, r{0})\n", r);
        });
        return text + "    GROUP_DONE\n}\n\n";
    }

private:
    static constexpr std::uint32_t none = 0xffffffff;

    bool in_pair(std::uint32_t r) const { return is_pair_[r] || (r > 0 && is_pair_[r - 1]); }
    bool here(std::uint32_t block) const { return plan_.group_of[block] == number_; }

    template <typename F>
    void for_each_instruction(F f) const {
        for (const std::uint32_t b : group_.blocks)
            for (std::uint32_t i = plan_.code.start[b]; i < plan_.code.end(image_, b); ++i) f(i, info(op_at(image_, i)));
    }

    /// The variables that are written: register and whether it is a pair.
    template <typename F>
    void for_each_written(F f) const {
        for (std::uint32_t r = 0; r < 256; ++r) {
            if (is_pair_[r] && (written_[r] || written_[r + 1])) f(r, true);
            else if (written_[r] && !in_pair(r)) f(r, false);
        }
    }

    /// Two registers that are met as one double more often than by themselves live in one variable of 64 bits. Floats are
    /// met so only where a function saves the registers of its caller.
    void find_registers() {
        std::array<bool, 257> low{}, high{};
        std::array<std::uint32_t, 257> singly{}, as_pair{};
        for_each_instruction([&](std::uint32_t i, const OpInfo &row) {
            const unsigned r = image_.text[i] & 0xffu;
            uses_d_ |= ((row.reads | row.writes) & D) != 0;
            if (row.operand == OperandKind::Reg) used_[r] = true, written_[r] |= (row.writes & Reg) != 0, ++singly[r];
            if (row.operand != OperandKind::Pair) return;
            ++as_pair[r];
            low[r] = high[r + 1] = used_[r] = used_[r + 1] = true;
            if (row.writes & Pair) written_[r] = written_[r + 1] = true;
        });
        for (std::uint32_t r = 0; r < 256; ++r) is_pair_[r] = low[r] && !high[r] && !low[r + 1] && as_pair[r] >= singly[r] + singly[r + 1];
    }

    /// The blocks that need a label.
    void find_targets() {
        targets_.insert(entries_.begin(), entries_.end());
        for (const std::uint32_t b : group_.blocks) {
            const auto target = named_block(image_, plan_.code, plan_.code.end(image_, b) - 1);
            if (target && here(*target)) targets_.insert(plan_.code.start[*target]);
            if (flow_)
                for (const CodeAddress &known : flow_->known_targets(b)) targets_.insert(known.to);
        }
    }

    void find_convergence() {
        Convergence::Graph graph;
        graph.blocks = group_.blocks;
        for (const std::uint32_t at : entries_) graph.entries.insert(plan_.code.block_of[at]);
        graph.successors = [this](std::uint32_t b) { return flow_->successors(b, GroupFlow::Ways::calls_only); };
        graph.leaves = [this](std::uint32_t b) {
            const std::uint32_t last = plan_.code.end(image_, b) - 1;
            const auto named = named_block(image_, plan_.code, last);
            const bool goes_on = !ends_block(op_at(image_, last));
            const bool goes_out = goes_on && !(b + 1 < plan_.code.start.size() && here(b + 1));
            return op_at(image_, last) == Op::j_ || (named && !here(*named)) || goes_out;
        };
        convergence_.emplace(graph);
    }

    std::size_t number_of_entry(std::uint32_t at) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(entries_, at) - entries_.begin());
    }

    /// Before the code of a block: lanes that have stopped, or are led elsewhere, go on from here.
    std::string passing(std::uint32_t b) const {
        std::string text;
        const auto name = [&](std::optional<std::uint32_t> block) { return block ? fmt::format("b{}", plan_.code.start[*block]) : "cold"; };
        if (convergence_->is_landing(b)) text += fmt::format("    if (stopped != 0u) goto {};\n", name(convergence_->landing(b)));
        if (const auto *led = convergence_->led_from(b)) {
            text += "    switch (led_to) {\n    case 0u: break;\n";
            for (const auto &[entry, next] : *led)
                text += fmt::format("    case {}u: {}goto {};\n", number_of_entry(plan_.code.start[entry]) + 1,
                                    next == entry ? "led_to = 0u; " : "", name(next));
            text += "    }\n";
        }
        return text;
    }

    /// Straight code through several blocks: the next one is entered from the one before it, and from nowhere else.
    void find_runs() {
        if (lanes_) return;
        std::vector<std::uint32_t> starts;
        const auto finish = [&] {
            if (starts.size() >= 2) find_access_windows(image_, starts, windows_);
        };
        for (const std::uint32_t b : group_.blocks) {
            const std::uint32_t begin = plan_.code.start[b], end = plan_.code.end(image_, b);
            if (starts.empty() || starts.back() != begin || targets_.contains(begin)) {
                finish();
                starts = {begin};
            }
            starts.push_back(end);
        }
        finish();
    }

    std::optional<std::uint32_t> block_at(std::uint32_t index) const {
        if (index >= image_.text.size()) return std::nullopt;
        return plan_.code.block_of[index];
    }

    /// Counts what is due on the way from block `b` to TEXT index `target`.
    std::string count(std::uint32_t b, std::uint32_t target) const {
        const std::int32_t due = counts_ ? counts_->due(b, block_at(target)) : 0;
        return due == 0 ? std::string() : fmt::format("COUNT({})", due);
    }

    /// Asks whether there are instructions left for block `b` and what follows it.
    std::string enter(std::uint32_t b) const {
        return fmt::format("ENTER({}u, {}u, {}u)", plan_.code.start[b], counts_->needed(b), counts_->counted(b));
    }

    /// From block `b` to TEXT index `target`.
    std::string go(std::uint32_t b, std::uint32_t target) {
        const auto to = block_at(target);
        const bool stays = to && here(*to);
        leaves_ |= !stays;
        const std::string due = count(b, target);
        return fmt::format("{}{}{}({})", due, due.empty() ? "" : " ", stays ? "GO" : "LEAVE", target);
    }

    std::string block(std::uint32_t b, std::uint32_t next) {
        const std::uint32_t begin = plan_.code.start[b], end = plan_.code.end(image_, b);
        std::string text;
        const bool passed = warp_ && (convergence_->is_landing(b) || convergence_->led_from(b));
        if (targets_.contains(begin) || passed) text += fmt::format("  b{}:\n", begin);
        if (warp_) {
            text += passing(b);
            const auto landing = convergence_->landing(b);
            const std::string cold = landing ? fmt::format("b{}", plan_.code.start[*landing]) : "cold";
            if (cold != cold_) text += fmt::format("#undef COLD\n#define COLD {}\n", cold);
            cold_ = cold;
        }
        if (lanes_) text += fmt::format("    ENTER({}u, {}u)\n", begin, end - begin);
        else if (counts_->asks(b)) {
            const std::uint32_t nans = nans_->on_ask(b);
            text += nans == 0 ? fmt::format("    {}\n", enter(b)) : fmt::format("    {{ enum {{ nans_ = {} }}; {} }}\n", nans, enter(b));
        }
        line_.clear();
        for (std::uint32_t i = begin; i < end; ++i) text += source_line(i) + instruction(i, b);
        const Op last = op_at(image_, end - 1);
        if (ends_block(last)) return text;
        // Lanes that part there have done it already.
        const bool parts = lanes_ && (info(last).writes & Pc) != 0;
        if (const std::string nans = parts ? "" : default_nans(nans_->at_end(end - 1)); !nans.empty()) text += fmt::format("    {}\n", nans);
        if (next != b + 1) return text + "    " + go(b, end) + '\n';
        if (const std::string due = count(b, end); !due.empty()) text += "    " + due + '\n';
        return text;
    }

    /// Where the user's program says what comes at TEXT index `at`, as a comment; empty if it is where what came before was, or if the
    /// program was compiled without -g.
    std::string source_line(std::uint32_t at) {
        const std::uint32_t address = image_.source_address[at];
        const SourcePlace place = address == 0 ? SourcePlace() : find_source(image_, address);
        if (place.line == 0) return {};
        std::string line = fmt::format("    /* {}:{} */\n", std::filesystem::path(place.file).filename().string(), place.line);
        if (line == line_) return {};
        line_ = line;
        return line;
    }

    /// The one at TEXT index `at`, in block `b`.
    std::string instruction(std::uint32_t at, std::uint32_t b) {
        const OpInfo &row = info(op_at(image_, at));
        const std::uint32_t operand = image_.text[at] & 0xffu;
        std::string body = with_window(row, at);
        if (nans_->any_nan(at)) replace_all(body, "mog_", "mog_any_nan_");
        switch (row.operand) {
        case OperandKind::None: break;
        case OperandKind::Byte: replace_all(body, "OPND", fmt::format("{}u", operand)); break;
        case OperandKind::Const: replace_all(body, "IMM", fmt::format("0x{:x}u", constant_at(image_, at))); break;
        case OperandKind::Label: body = jump(row, at, b); break;
        case OperandKind::Reg: body = with_register(std::move(body), operand, row); break;
        case OperandKind::Pair:
            if (is_pair_[operand]) {
                replace_all(body, "SETR2(OPND, D);", fmt::format("SET(p{}, D)", operand));
                replace_all(body, "R2(OPND)", fmt::format("p{}", operand));
            } else {
                replace_all(body, "SETR2(OPND, D);", fmt::format("SET({}, LOW(D)) SET({}, HIGH(D))", whole(operand), whole(operand + 1)));
                replace_all(body, "R2(OPND)", fmt::format("TWO({}, {})", whole(operand), whole(operand + 1)));
            }
        }
        if (row.op == Op::j_) {
            leaves_ = true;
            if (lanes_) {
                replace_all(body, "JUMP(ACC)", "JUMP_TO(ACC)");
            } else {
                replace_all(body, "JUMP(ACC)", fmt::format("JUMP_TO(ACC, {})", counts_->due(b, std::nullopt)));
                // Elsewhere, nobody expects other NaNs.
                if (const std::string nans = default_nans(nans_->on_jump(at)); !nans.empty()) body = nans + ' ' + body;
                if (const auto &targets = flow_->known_targets(b); !targets.empty()) body = known_jump(b, targets) + body;
            }
        }
        NanResults::Variables nans_before = nans_->before(at);
        const auto add = [&](const NanResults::Variables &more) {
            for (const NanResults::Variable v : more)
                if (std::ranges::find(nans_before, v) == nans_before.end()) nans_before.push_back(v);
        };
        if ((row.writes & Pc) && (lanes_ || row.op == Op::ja_)) add(nans_->on_jump(at));
        if ((row.writes & Pc) && lanes_) add(nans_->at_end(at));
        std::string before = default_nans(nans_before);
        if (!before.empty()) before = fmt::format("    {}\n", before);
        if (!(row.writes & stops_)) return fmt::format("{}    {{ {} }}\n", before, body);
        // Where what stops is said after an `if`, lanes of a warp ask whether it is so for any of them.
        if (const std::size_t question = body.find("if ("); question != body.npos) body.replace(question, 3, "IF_ANY");
        const std::uint32_t begin = plan_.code.start[b], counted = counts_ ? counts_->counted(b) : plan_.code.end(image_, b) - begin;
        const std::uint32_t nans = nans_->on_stop(at);
        return fmt::format("{}    {{ enum {{ at_ = {}, left_ = {}{} }}; {} }}\n", before, at, counted - (at - begin),
                           nans == 0 ? std::string() : fmt::format(", nans_ = {}", nans), body);
    }

    /// Makes NaNs in variables the default one. `where`: what accumulators are called there.
    std::string default_nans(const NanResults::Variables &variables, std::string_view where = "") const {
        std::string text;
        for (const NanResults::Variable v : variables) {
            if (!text.empty()) text += ' ';
            if (v == NanResults::acc) text += fmt::format("DEFAULT_NANF(ACC{0})", where);
            else if (v == NanResults::d) text += fmt::format("DEFAULT_NAND(D{0})", where);
            else text += is_pair_[v] ? fmt::format("DEFAULT_NAND(p{0})", v) : fmt::format("DEFAULT_NANF(r{0})", v);
        }
        return text;
    }

    /// From block `b` to one of them without a look into the tables.
    std::string known_jump(std::uint32_t b, const std::vector<CodeAddress> &targets) {
        std::string text = "switch (KNOWN_ADDRESS(ACC)) { ";
        for (const CodeAddress &target : targets) text += fmt::format("case 0x{:x}u: {} ", target.address / 4, go(b, target.to));
        return text + "default: break; } ";
    }

    /// The body of an instruction, whose access to memory may lie in a window.
    std::string with_window(const OpInfo &row, std::uint32_t at) const {
        std::string body(row.statements());
        const auto found = windows_.accesses.find(at);
        if (found == windows_.accesses.end()) return body;
        const AccessWindows::Access &access = found->second;
        const std::string address(address_text(row.op)), place = fmt::format("MOG_DATA_BASE + {}u", access.offset);
        // The last argument of a load, the first one of a store.
        if (row.writes & Mem) replace_all(body, '(' + address + ',', '(' + place + ',');
        else replace_all(body, ", " + address + ')', ", " + place + ')');
        if (access.window == AccessWindows::Access::data) return fmt::format("INSIDE({}u) {}", image_.data.size(), body);
        const AccessWindows::Window &window = windows_.windows[access.window];
        std::string opening;
        if (access.opens)
            opening = fmt::format("OPEN(w{}, {}, {}u, {}u, {}u) ", access.window, address, access.offset, window.bytes, window.shift);
        return fmt::format("{}WITHIN(w{}, {}u) {}", opening, access.window, window.bytes, body);
    }

    /// `if (condition) { PC = IMM; }` or `PC = IMM;` with the label in place.
    std::string jump(const OpInfo &row, std::uint32_t at, std::uint32_t b) {
        const std::uint32_t target = constant_at(image_, at);
        const std::string_view body = row.body;
        const std::size_t begin = body.find("if ("), end = body.rfind(") {");
        if (begin == body.npos) return go(b, target);
        const std::string_view condition = body.substr(begin + 4, end - begin - 4);
        const std::string nans = default_nans(nans_->on_jump(at));
        if (!lanes_) return fmt::format("if ({}) {{ {}{}{} }}", condition, nans, nans.empty() ? "" : " ", go(b, target));
        return fmt::format("{}({}, {}, {})", here(plan_.code.block_of[target]) ? "BRANCH" : "BRANCH_OUT", condition, target, at + 1);
    }

    std::string whole(std::uint32_t r) const { return fmt::format("r{}", r); }

    std::string with_register(std::string body, std::uint32_t r, const OpInfo &row) const {
        if (!in_pair(r)) {
            replace_all(body, "R(OPND) = ACC;", fmt::format("SET({}, ACC)", whole(r)));
            replace_all(body, "R(OPND)", whole(r));
            return body;
        }
        const bool low = is_pair_[r];
        const std::string half = fmt::format("{}(p{})", low ? "LOW" : "HIGH", low ? r : r - 1);
        if (!(row.writes & Reg)) {
            replace_all(body, "R(OPND)", half);
            return body;
        }
        const std::string set = fmt::format("SET_{}(p{}, ", low ? "LOW" : "HIGH", low ? r : r - 1);
        if (row.op == Op::sr_) return set + "ACC)";
        replace_all(body, "R(OPND)", "half_");
        return fmt::format("u32 half_ = {}; {} {}half_)", half, body, set);
    }

    const Image &image_;
    const BlockPlan &plan_;
    bool lanes_, warp_;
    const BlockPlan::Group &group_;
    std::uint32_t number_;
    std::uint16_t stops_;
    std::optional<GroupFlow> flow_;  ///< not for lanes, nor are
    std::array<bool, 257> used_{}, written_{}, is_pair_{};
    std::vector<std::uint32_t> entries_;
    std::set<std::uint32_t> targets_;
    std::optional<PassCounts> counts_;  ///< these
    std::optional<Convergence> convergence_;  ///< of a warp
    std::string cold_ = "cold";  ///< where lanes go that stop in the block at hand; first where control comes in
    std::string line_;  ///< what source_line() gave last in the block at hand
    std::optional<NanResults> nans_;
    AccessWindows windows_;
    bool uses_d_ = false;
    bool leaves_ = false;  // for code that is not of the group
};

}  // namespace

std::string group_functions(const Image &image, const BlockPlan &plan, BlockForm form) {
    std::string text;
    for (std::uint32_t number = 1; number <= plan.groups.size(); ++number) {
        const std::string function = GroupWriter(image, plan, form, number).write();
        text += plan.parts.size() < 2 ? function : fmt::format("#if IN_PART({})\n{}#endif\n", plan.groups[number - 1].part, function);
    }
    return text;
}

std::string group_declarations(const BlockPlan &plan) {
    std::string text;
    if (plan.parts.size() > 1)
        for (std::uint32_t number = 1; number <= plan.groups.size(); ++number) text += fmt::format("GROUP({});\n", number);
    return text.empty() ? text : fmt::format("#ifdef MOG_BLOCKS_PART\n{}#endif\n", text);
}

std::string group_calls(const BlockPlan &plan) {
    std::string text;
    for (std::uint32_t number = 1; number <= plan.groups.size(); ++number) text += fmt::format("        CALL({})\n", number);
    return text;
}

}  // namespace mog
