// vector_code.hpp: rounds of a loop (vector_loops.hpp) that are done several at once, as native code.
#pragma once

#include <asmjit/x86.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "assembler/image/read_only.hpp"
#include "runtime_host/devices/host/native/vector_loops.hpp"

namespace mog {

/// Where a PE's memory is, as the code finds it.
struct VectorMemory {
    bool by_segment;           ///< at its addresses in the segment; else DATA begins at `native::memory`
    std::uint32_t data_bytes;  ///< of DATA, the only space that is accessed
    ReadOnlyData read_only;    ///< in which nothing is stored
};

/// All registers of the processor but native::registers, native::passes and, where that is needed, native::memory are its own: those of
/// the PE are in memory before and after.
class VectorCode {
public:
    using Label = asmjit::Label;

    /// Whether the processor has vectors of integers, and registers enough for the loop's values.
    static bool fits(const VectorLoop &loop);
    /// Whether any access is to less than 16 bytes that need not be aligned to as many.
    static bool accesses_less(const VectorLoop &loop);

    VectorCode(const VectorLoop &loop, const VectorMemory &memory, asmjit::x86::Assembler &to);

    /// How many rounds are to be done, a multiple of loop.lanes.
    static constexpr asmjit::x86::Gp wanted = asmjit::x86::r14d;
    /// And how many were, when the code is through: fewer, if a result is a NaN, which the code for one round knows what to do with.
    static constexpr asmjit::x86::Gp done = asmjit::x86::ecx;

    /// And how many instructions these did that may be skipped.
    static constexpr asmjit::x86::Gp more_done = asmjit::x86::r13d;

    /// Does `wanted` rounds, if the streams are in DATA and far enough from each other, and goes to `other` if not. What is added up is in
    /// the PE's registers behind it, but not what goes on by steps. Nothing of it faults.
    void write(Label other);
    /// The numbers that it needs, which stand where no control comes.
    void write_constants();

private:
    using Gp = asmjit::x86::Gp;
    using Vec = asmjit::x86::Vec;
    using Mem = asmjit::x86::Mem;
    using Operand = asmjit::Operand_;

    /// By node, and behind them by total: the number of a vector register.
    static std::optional<std::vector<std::uint8_t>> places(const VectorLoop &loop);

    void find_streams(Label other);
    void lowest(Gp to, std::uint32_t stream);
    void end(Gp to, std::uint32_t stream);
    bool has_read_only() const { return memory_.read_only.begin != memory_.read_only.end; }
    void ask_whether_apart(Label other);
    void begin_values();
    void value(std::uint32_t number);
    void load(std::uint32_t number);
    void load_apart(Vec to, const VectorLoop::Node &node);
    void one_element(Op what, const Mem &from);
    void instruction(std::uint32_t number);
    void unless_zero(std::uint32_t number);
    void either(std::uint32_t number);
    void compare(std::uint32_t number, asmjit::x86::VCmpImm how);
    void store(const VectorLoop::Store &store);
    void store_apart(const VectorLoop::Store &store, Vec from);
    void add_up(std::uint32_t number);

    bool is_wide(std::uint32_t node) const { return loop_.nodes[node].is_wide; }
    /// A register for values of so many bits, each of its lanes one.
    Vec vector(unsigned number, bool wide) const;
    Vec of(std::uint32_t node) const { return vector(places_[node], is_wide(node)); }
    Vec spare(unsigned which, bool wide) const { return vector(first_spare + which, wide); }
    /// A node as a second operand.
    Operand operand(std::uint32_t node);
    /// The same word in all lanes, in memory.
    Mem everywhere(std::uint32_t word);
    Mem words(std::vector<std::uint32_t> eight, bool all = false);
    Mem element(std::uint32_t stream, std::int32_t further = 0) const;
    Gp base(std::uint32_t stream) const;
    static Mem register_of_pe(std::uint32_t r, std::uint32_t bytes);

    static constexpr unsigned first_spare = 14;

    const VectorLoop &loop_;
    const VectorMemory memory_;
    asmjit::x86::Assembler &to_;
    std::vector<std::uint8_t> places_;
    std::vector<std::pair<std::vector<std::uint32_t>, Label>> constants_;
};

}  // namespace mog
