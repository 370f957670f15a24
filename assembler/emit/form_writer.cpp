// form_writer.cpp: the frame of a group's function, and its instructions, one a line.
#include "assembler/emit/form_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "assembler/image/constants.hpp"
#include "assembler/image/spaces.hpp"
#include "assembler/ir/mog_program.hpp"

namespace mog {

FormWriter::FormWriter(const Image &image, const BlockPlan &plan, std::uint32_t number, EnteredAt entered)
    : group_(image, plan, number, entered), space_(space_of_access(image)) {}

std::string FormWriter::write() {
    const BlockPlan::Group &group = group_.group;
    text_ = comment_lines(fmt::format("{}: {} blocks, {} instructions", group.name, group.blocks.size(), group.instructions), "");
    bare_line(fmt::format("GROUP({})\n{{", name()));
    before_state();
    line("GROUP_STATE");
    group_.for_each_variable([&](std::uint32_t r, bool pair) {
        const auto called = [&](std::uint32_t n) { return '$' + group_.image.register_names[n]; };
        if (pair)
            line(fmt::format("u64 p{} = TWO(REG({}), REG({})); /* {}, {} */", r, register_number(r), register_number(r + 1), called(r),
                             called(r + 1)));
        else line(fmt::format("u32 r{} = REG({}); /* {} */", r, register_number(r), called(r)));
    });
    for (std::size_t i = 0; i < group_.windows.windows.size(); ++i) line(fmt::format("WINDOW(w{})", i));
    dispatch();
    for (std::size_t i = 0; i < group.blocks.size(); ++i)
        block(group.blocks[i], i + 1 < group.blocks.size() ? group.blocks[i + 1] : 0xffffffffu);
    end_cold();
    if (const auto &sets = group_.nans->stop_sets(); !sets.empty()) {
        line("switch (s->nans) {");
        line("default: break;");
        for (std::size_t i = 0; i < sets.size(); ++i) line(fmt::format("case {}: {} break;", i + 1, default_nans(sets[i])));
        line("}");
    }
    if (has_leave()) bare_line("  leave:");
    group_.for_each_written([&](std::uint32_t r, bool pair) {
        if (pair) line(fmt::format("SET_REG({0}, LOW(p{2})) SET_REG({1}, HIGH(p{2}))", register_number(r), register_number(r + 1), r));
        else line(fmt::format("SET_REG({}, r{})", register_number(r), r));
    });
    line("GROUP_DONE");
    bare_line("}\n");
    finish(text_);
    return std::move(text_);
}

void FormWriter::line(const std::string &text) { text_ += broken("    " + text, "        ") + '\n'; }

std::string FormWriter::label(std::uint32_t b) const { return "b" + place(group_.begin(b)); }

std::string FormWriter::count(std::int32_t due) { return due == 0 ? std::string() : fmt::format("COUNT({}) ", due); }

std::string FormWriter::go(std::uint32_t b, std::uint32_t target) {
    const auto to = group_.block_at(target);
    const bool stays = to && group_.here(*to);
    leaves_ |= !stays;
    return fmt::format("{}{})", count(group_.due(b, target)), stays ? word_to(b, target) : word_out(b, target));
}

void FormWriter::add(Variables &to, const Variables &more) {
    for (const NanResults::Variable v : more)
        if (std::ranges::find(to, v) == to.end()) to.push_back(v);
}

std::string FormWriter::default_nans(const Variables &variables) const {
    std::string text;
    for (const NanResults::Variable v : variables) {
        if (!text.empty()) text += ' ';
        if (v == NanResults::acc) text += "DEFAULT_NANF(ACC)";
        else if (v == NanResults::d) text += "DEFAULT_NAND(D)";
        else text += group_.is_pair[v] ? fmt::format("DEFAULT_NAND(p{})", v) : fmt::format("DEFAULT_NANF(r{})", v);
    }
    return text;
}

void FormWriter::block(std::uint32_t b, std::uint32_t next) {
    begin_block(b);
    begin_places();
    const std::uint32_t end = group_.end(b);
    instructions(b, end);
    if (ends_block(op_at(group_.image, end - 1))) return;
    if (next != b + 1 || !falls_through(b)) {
        if (const std::string nans = default_nans(nans_after(end - 1)); !nans.empty()) line(nans);
        line(go(b, end));
    } else {
        fall_through(b);
    }
}

void FormWriter::instructions(std::uint32_t b, std::uint32_t end) {
    for (std::uint32_t at = group_.begin(b); at < end; ++at) {
        source_line(at);
        instruction(at, b);
    }
}

void FormWriter::fall_through(std::uint32_t b) {
    const std::uint32_t end = group_.end(b);
    if (const std::string nans = default_nans(nans_after(end - 1)); !nans.empty()) line(nans);
    if (const std::string due = count(group_.due(b, end)); !due.empty()) line(due.substr(0, due.size() - 1));
}

/// Where the user's program says what comes at TEXT index `at`, as a comment; none if it is where what came before was, or if the
/// program was compiled without -g.
void FormWriter::source_line(std::uint32_t at) {
    const std::uint32_t address = group_.image.source_address[at];
    const SourcePlace place = address == 0 ? SourcePlace() : find_source(group_.image, address);
    if (place.line == 0) return;
    std::string name = std::filesystem::path(place.file).filename().string();
    // Its end says what it is, if it is too long for a line.
    if (constexpr std::size_t most = 90; name.size() > most) name = "..." + name.substr(name.size() - most);
    const std::string comment = fmt::format("/* {}:{} */", name, place.line);
    if (comment == place_) return;
    place_ = comment;
    line(comment);
}

void FormWriter::instruction(std::uint32_t at, std::uint32_t b) {
    const OpInfo &row = info(op_at(group_.image, at));
    if (const std::string nans = default_nans(nans_before(at)); !nans.empty()) line(nans);
    if (row.writes & Pc) before_jump(at, b);
    Operands operands = operands_of(row, at, b);
    std::string before;
    if (row.writes & group_.stops) {
        const std::uint32_t left = group_.left(b, at), nans = group_.nans->on_stop(at);
        before =
            nans == 0 ? fmt::format("STOPS({}, {}) ", place(at), left) : fmt::format("STOPS_WITH_NANS({}, {}, {}) ", place(at), left, nans);
    }
    before += window(row, at, operands);
    const std::string use = use_of(row, operands);
    line(before.empty() ? use : fmt::format("{{ {}{} }}", before, use));
}

Operands FormWriter::operands_of(const OpInfo &row, std::uint32_t at, std::uint32_t b) {
    const Image &image = group_.image;
    const std::uint32_t operand = image.text[at] & 0xffu;
    Operands operands;
    operands[OperandWord::FPU] = group_.nans->any_nan(at) ? "ANY_NAN" : "FPU";
    operands[OperandWord::SPACE] = space_;
    switch (row.operand) {
        case OperandKind::None: break;
        case OperandKind::Byte: operands[OperandWord::NUMBER] = fmt::format("{}u", operand); break;
        case OperandKind::Const: operands[OperandWord::IMM] = constant(constant_at(image, at)); break;
        case OperandKind::Label: break;
        case OperandKind::Reg:
            operands[OperandWord::SRC] = value_of(operand);
            place_of(operand, operands);
            break;
        case OperandKind::Pair: pair_of(operand, operands); break;
    }
    if (row.access) operands[OperandWord::ADDRESS] = address(row, operand);
    if (row.writes & Pc) operands[OperandWord::WAY] = way(at, b);
    return operands;
}

/// A register's value, and where it is set: a variable, or half of one.
std::string FormWriter::value_of(std::uint32_t r) const {
    if (!group_.in_pair(r)) return fmt::format("r{}", r);
    return group_.is_pair[r] ? fmt::format("LOW(p{})", r) : fmt::format("HIGH(p{})", r - 1);
}

void FormWriter::place_of(std::uint32_t r, Operands &operands) const {
    const bool half = group_.in_pair(r), low = group_.is_pair[r];
    operands[OperandWord::PUT] = !half ? "SET" : low ? "SET_LOW" : "SET_HIGH";
    operands[OperandWord::DST] = half ? fmt::format("p{}", low ? r : r - 1) : fmt::format("r{}", r);
}

void FormWriter::pair_of(std::uint32_t r, Operands &operands) const {
    const bool one = group_.is_pair[r];
    operands[OperandWord::PUT2] = one ? "SET" : "SET_TWO";
    // Where they are set, whatever a form has for what they are.
    operands[OperandWord::DST2] =
        one ? fmt::format("p{}", r) : fmt::format("({}, {})", FormWriter::value_of(r), FormWriter::value_of(r + 1));
    operands[OperandWord::SRC2] = one ? fmt::format("p{}", r) : fmt::format("TWO({}, {})", value_of(r), value_of(r + 1));
}

std::string FormWriter::window(const OpInfo &row, std::uint32_t at, Operands &operands) const {
    const auto found = group_.windows.accesses.find(at);
    if (row.access && found == group_.windows.accesses.end() && group_.windows.to_frame.contains(at)) return "CAN_BE_WRITTEN ";
    if (!row.access || found == group_.windows.accesses.end()) return {};
    const CoalescedChecks::Access &access = found->second;
    if (access.window == CoalescedChecks::Access::data && !knows_data()) return {};
    const std::string address = operands[OperandWord::ADDRESS];
    operands[OperandWord::ADDRESS] = fmt::format("AT({}u)", access.offset);
    operands[OperandWord::SPACE] = "PRIVATE";
    if (access.window == CoalescedChecks::Access::data) return fmt::format("INSIDE({}u) ", group_.image.data.size());
    const CoalescedChecks::Window &window = group_.windows.windows[access.window];
    const std::string within = fmt::format("WITHIN(w{}, {}u) ", access.window, window.bytes);
    if (!access.opens) return within;
    return fmt::format("{}(w{}, {}, {}u, {}u, {}u) {}", window.stores ? "OPEN_TO_STORE" : "OPEN", access.window, address, access.offset,
                       window.bytes, window.shift, within);
}

}  // namespace mog
