// op_rows.hpp: the lines of ops.txt as data, and the one program that holds all of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assembler/image/image.hpp"
#include "support/result.hpp"

namespace mog::test {

/// What a PE has before or after an instruction, as far as a line says.
struct State {
    std::optional<std::uint32_t> acc;
    std::optional<std::uint64_t> d;
    std::optional<std::uint32_t> fcsr;                 ///< before: 0 unless said
    std::map<std::uint32_t, std::uint32_t> registers;  ///< by number
    std::map<std::uint32_t, std::uint32_t> memory;     ///< words by address
    std::optional<std::uint32_t> stop, info;
    bool at_target = false;
};

struct OpRow {
    std::size_t line = 0;
    std::string text, word;
    State before, after;
    /// Only an interpreter that keeps the FPU's control register can run it.
    bool needs_fcsr() const { return before.fcsr || after.fcsr || text == "lfcsr" || text == "sfcsr"; }
};

inline constexpr std::uint32_t register_count = 12;
inline constexpr std::uint32_t data_words = 1024;
inline constexpr std::uint32_t target_address = 0x00400100;  ///< code address of the block `target`

/// Reads ops.txt. Error: the line, and what is wrong with it.
Result<std::vector<OpRow>> read_op_rows(const std::string &path);

/// All lines as one program: block `rowN` has line N's instruction and `brk 200`; `target` has `brk 201`.
std::string make_program(const std::vector<OpRow> &rows);

/// The TEXT index of a label.
std::optional<std::uint32_t> find_label(const Image &image, std::string_view label);

}  // namespace mog::test
