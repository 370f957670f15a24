// target_description.cpp: see target_description.hpp; the names of features and registers are those that gdb's manual lists.
#include "runtime_host/gdb/target_description.hpp"

#include <fmt/format.h>

#include "runtime_host/faults/stopped_pe.hpp"

namespace mog::gdb {

std::string target_description() {
    const auto reg = [](std::string_view name, std::uint32_t number, std::string_view more = "") {
        return fmt::format("<reg name=\"{}\" bitsize=\"32\" regnum=\"{}\"{}/>", name, number, more);
    };
    // No system: that of Linux would have gdb step by breakpoints, for which it needs registers that the program does without.
    std::string text =
        "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
        "<architecture>mips:isa32r2</architecture><osabi>none</osabi><feature name=\"org.gnu.gdb.mips.cpu\">";
    for (std::uint32_t i = 0; i < register_status; i++) text += reg(fmt::format("r{}", i), i);
    text += reg("lo", register_lo) + reg("hi", register_hi) + reg("pc", register_pc);
    text += "</feature><feature name=\"org.gnu.gdb.mips.cp0\">";
    text += reg("status", register_status) + reg("badvaddr", register_bad_address) + reg("cause", register_cause);
    text += "</feature><feature name=\"org.gnu.gdb.mips.fpu\">";
    for (std::uint32_t i = 0; i < 32; i++) text += reg(fmt::format("f{}", i), register_f0 + i, " type=\"ieee_single\"");
    text += reg("fcsr", register_fcsr, " group=\"float\"") + reg("fir", register_fir, " group=\"float\"");
    // The PE's rank, for conditions.
    text += "</feature><feature name=\"org.mog.pe\">" + reg("rank", register_rank, " type=\"int\"");
    return text + "</feature></target>";
}

std::array<std::optional<std::uint32_t>, register_count> registers_of(const Image &image) {
    constexpr std::array names{"zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7",
                               "s0",   "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra"};
    std::array<std::optional<std::uint32_t>, register_count> rows;
    for (std::uint32_t i = 1; i < names.size(); i++) rows[i] = find_register(image, names[i]);
    rows[register_lo] = find_register(image, "lo");
    rows[register_hi] = find_register(image, "hi");
    for (std::uint32_t i = 0; i < 32; i++) rows[register_f0 + i] = find_register(image, fmt::format("f{}", i));
    return rows;
}

}  // namespace mog::gdb
