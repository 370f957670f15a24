// thread_writer.cpp: instructions are counted where pass_counts.hpp says, and known jumps go straight to their blocks.
#include "assembler/emit/thread_writer.hpp"

#include <fmt/format.h>

#include "assembler/image/constants.hpp"

namespace mog {

/// Asks whether there are instructions left for block `b` and what follows it.
std::string ThreadWriter::enter(std::uint32_t b) const {
    const std::string what = fmt::format("{}u, {}u, {}u", place(group_.begin(b)), group_.counts->needed(b), group_.counts->counted(b));
    const std::uint32_t nans = group_.counts->asks(b) ? group_.nans->on_ask(b) : 0;
    return nans == 0 ? fmt::format("ENTER({})", what) : fmt::format("ENTER_WITH_NANS({}, {})", what, nans);
}

void ThreadWriter::dispatch() {
    line("switch (entry) {");
    line("default: break;");
    for (std::size_t i = 0; i < group_.entries.size(); ++i) {
        const std::uint32_t b = group_.plan.code.block_of[group_.entries[i]];
        line(fmt::format("case {}u: {}{}goto {};", i, group_.counts->asks(b) ? "" : enter(b) + ' ', lead(i), way_in(i)));
    }
    line("}");
}

void ThreadWriter::begin_block(std::uint32_t b) {
    if (labelled(b)) bare_line(fmt::format("  {}:", label(b)));
    after_label(b);
    if (group_.counts->asks(b)) line(enter(b));
}

ThreadWriter::Variables ThreadWriter::nans_before(std::uint32_t at) const {
    Variables nans = group_.nans->before(at);
    if (op_at(group_.image, at) == Op::ja_) add(nans, group_.nans->on_jump(at));
    return nans;
}

void ThreadWriter::before_jump(std::uint32_t at, std::uint32_t b) {
    if (op_at(group_.image, at) != Op::j_) return;
    if (const auto &targets = group_.flow->known_targets(b); !targets.empty()) known_jump(targets, b);
    // Elsewhere, nobody expects other NaNs.
    if (const std::string nans = default_nans(group_.nans->on_jump(at)); !nans.empty()) line(nans);
}

void ThreadWriter::known_jump(const std::vector<CodeAddress> &targets, std::uint32_t b) {
    line("switch (KNOWN_ADDRESS(ACC)) {");
    for (const CodeAddress &target : targets) line(fmt::format("case 0x{:x}u: {}", target.address / 4, go(b, target.to)));
    line("default: break;");
    line("}");
}

std::string ThreadWriter::way(std::uint32_t at, std::uint32_t b) {
    const OpInfo &row = info(op_at(group_.image, at));
    if (row.operand != OperandKind::Label) {
        leaves_ = true;
        return count(group_.due(b, std::nullopt)) + word_anywhere(b);
    }
    const std::string to = go(b, constant_at(group_.image, at));
    if (ends_block(row.op)) return to;
    const std::string nans = default_nans(group_.nans->on_jump(at));
    return nans.empty() ? to : fmt::format("{} {}", nans, to);
}

void ThreadWriter::end_cold() {
    bare_line("  cold:");
    line("s->cold = 1u;");
}

}  // namespace mog
