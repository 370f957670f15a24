// lanes_writer.cpp: whose turn it is stands once in a group, and each block counts its instructions.
#include "assembler/emit/lanes_writer.hpp"

#include <fmt/format.h>

#include "assembler/image/constants.hpp"

namespace mog {

void LanesWriter::before_state() { line(fmt::format("enum {{ uses_d = {} }};", group_.uses_d ? 1 : 0)); }

void LanesWriter::dispatch() {
    line("SELECT");
    group_.for_each_written(
        [&](std::uint32_t r, bool pair) { line(pair ? fmt::format("PARTED_PAIR({0}u, p{0})", r) : fmt::format("PARTED({0}u, r{0})", r)); });
    line(fmt::format("SELECTED({}u) {{", group_.number));
    line("default: goto leave;");
    for (std::size_t i = 0; i < group_.entries.size(); ++i) line(fmt::format("case {}u: goto b{};", i, group_.entries[i]));
    line("}");
}

void LanesWriter::begin_block(std::uint32_t b) {
    bare_line(fmt::format("  {}:", label(b)));
    line(fmt::format("ENTER({}u, {}u)", group_.begin(b), group_.end(b) - group_.begin(b)));
}

/// Lanes that part at a jump have done before what is due at either end of it.
LanesWriter::Variables LanesWriter::nans_before(std::uint32_t at) const {
    Variables nans = group_.nans->before(at);
    if (info(op_at(group_.image, at)).writes & Pc) {
        add(nans, group_.nans->on_jump(at));
        add(nans, group_.nans->at_end(at));
    }
    return nans;
}

LanesWriter::Variables LanesWriter::nans_after(std::uint32_t last) const {
    return info(op_at(group_.image, last)).writes & Pc ? Variables() : group_.nans->at_end(last);
}

std::string LanesWriter::way(std::uint32_t at, std::uint32_t b) {
    const OpInfo &row = info(op_at(group_.image, at));
    if (row.operand != OperandKind::Label) return "LEAVE_ANYWHERE";
    const std::uint32_t target = constant_at(group_.image, at);
    if (ends_block(row.op)) return go(b, target);
    const auto to = group_.block_at(target);
    return fmt::format("{}({}, {})", to && group_.here(*to) ? "GO_OR_DIVERGE" : "LEAVE_OR_DIVERGE", target, at + 1);
}

void LanesWriter::end_cold() { bare_line("  cold: __attribute__((unused));"); }

}  // namespace mog
