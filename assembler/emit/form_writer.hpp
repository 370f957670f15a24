// form_writer.hpp: a group of compiled blocks as source: what all forms have in common. thread_writer, warp_writer and lanes_writer have
// what is a form's own; the words that they write are defined by a page each, form_*.h of interp_templates/.
#pragma once

#include <fmt/format.h>

#include <string>

#include "assembler/blocks/group_plan.hpp"
#include "assembler/emit/instruction_page.hpp"

namespace mog {

class FormWriter {
public:
    FormWriter(const Image &image, const BlockPlan &plan, std::uint32_t number, EnteredAt entered);
    virtual ~FormWriter() = default;

    /// The group's function.
    std::string write();

protected:
    using Variables = NanResults::Variables;

    /// Before the state is read; after the variables are there: how control comes to a block.
    virtual void before_state() {}
    virtual void dispatch() = 0;
    /// A block's label, and what is asked at its beginning.
    virtual void begin_block(std::uint32_t b) = 0;
    /// NaNs that are looked after before an instruction, and at the end of a block with this last instruction.
    virtual Variables nans_before(std::uint32_t at) const = 0;
    virtual Variables nans_after(std::uint32_t last) const = 0;
    /// Lines before an instruction of block `b` that jumps; and where it goes.
    virtual void before_jump(std::uint32_t, std::uint32_t) {}
    virtual std::string way(std::uint32_t at, std::uint32_t b) = 0;
    /// An instruction of block `b`.
    virtual void instruction(std::uint32_t at, std::uint32_t b);
    /// A register's value, the place where it is set, and the address of an access.
    virtual std::string value_of(std::uint32_t r) const;
    virtual void place_of(std::uint32_t r, Operands &operands) const;
    virtual std::string address(const OpInfo &row, std::uint32_t operand) const { return address_of(row.access, value_of(operand)); }
    /// How numbers are written that another program with the same code has others for: a TEXT index of the group; one elsewhere, where
    /// control goes; a constant; a register's number.
    virtual std::string place(std::uint32_t at) const { return fmt::format("{}", at); }
    virtual std::string elsewhere(std::uint32_t target) { return fmt::format("{}", target); }
    virtual std::string constant(std::uint32_t value) { return fmt::format("0x{:x}u", value); }
    virtual std::string register_number(std::uint32_t r) { return fmt::format("{}u", r); }
    /// Whether accesses to addresses that are known may be written as what is there in this program.
    virtual bool knows_data() const { return true; }
    /// What the group's function is called, in GROUP().
    virtual std::string name() const { return fmt::format("{}", group_.number); }
    /// A last look at the function's text.
    virtual void finish(std::string &) const {}
    /// Where code ends that gives an instruction to the interpreter, and where all code does.
    virtual void end_cold() = 0;
    virtual bool has_leave() const = 0;

    /// Adds a line; one that is too long becomes several.
    void line(const std::string &text);
    /// The same, without indentation: labels and directives.
    void bare_line(const std::string &text) { text_ += text + '\n'; }
    /// Code from block `b` to TEXT index `target`.
    std::string go(std::uint32_t b, std::uint32_t target);
    /// The word for that, if `target` is of the group, with what comes behind its opening parenthesis.
    virtual std::string word_to(std::uint32_t, std::uint32_t target) const { return "GO(" + place(target); }
    /// The same for one elsewhere; and the word for a jump out of the group to wherever it leads.
    virtual std::string word_out(std::uint32_t, std::uint32_t target) { return "LEAVE(" + elsewhere(target); }
    virtual std::string word_anywhere(std::uint32_t) const { return "LEAVE_ANYWHERE"; }
    /// Whether control comes from block `b` to the next one without a jump, if that stands behind it.
    virtual bool falls_through(std::uint32_t) const { return true; }
    /// "COUNT(3) ", or nothing if that many are none.
    static std::string count(std::int32_t due);
    /// Makes NaNs in variables the default one; empty if there are none.
    std::string default_nans(const Variables &variables) const;
    std::string label(std::uint32_t b) const;
    static void add(Variables &to, const Variables &more);
    void source_line(std::uint32_t at);
    /// Before the first instruction of a block, for source_line().
    void begin_places() { place_.clear(); }
    Operands operands_of(const OpInfo &row, std::uint32_t at, std::uint32_t b);
    /// A block, behind which block `next` stands.
    void block(std::uint32_t b, std::uint32_t next);
    /// Its instructions, to TEXT index `end`; and from its end to the block behind it, which stands there.
    void instructions(std::uint32_t b, std::uint32_t end);
    void fall_through(std::uint32_t b);

    GroupPlan group_;
    bool leaves_ = false;  ///< code goes elsewhere than to blocks of the group

    /// What is before an access that lies in a window, or in the program's own data, whose address becomes the one there.
    virtual std::string window(const OpInfo &row, std::uint32_t at, Operands &operands) const;

private:
    void pair_of(std::uint32_t r, Operands &operands) const;

    const std::string space_;  ///< of accesses that nothing is known of
    std::string text_;
    std::string place_;  ///< what source_line() said last in the block at hand
};

}  // namespace mog
