// execution.hpp: how often each instruction of a program is executed, and where control goes from it: estimated from
// the program alone, or counted in runs (profile.hpp).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "assembler/image/image.hpp"

namespace mog {

struct Execution {
    struct Jump {
        std::uint32_t from = 0, to = 0;  ///< TEXT indices; `to` is not from + 1 unless `from` never falls through
        double count = 0;

        auto operator<=>(const Jump &) const = default;
    };
    std::vector<double> count;  ///< by TEXT index
    std::vector<Jump> jumps;    ///< ascending by from, then by to. What does not jump goes on to the next instruction.
    bool is_guess = false;      ///< estimated: numbers made from it need few digits
};

/// Estimated from the program alone, by the likelihood of branches (static_execution.cpp tells how).
Execution static_execution(const Image &image);

/// The straight pieces of a program: control enters at their first instruction and leaves at their last one.
struct CodeBlocks {
    std::vector<std::uint32_t> start;     ///< TEXT index of each, ascending
    std::vector<std::uint32_t> block_of;  ///< by TEXT index
    std::vector<std::uint32_t> function;  ///< by block: place in `functions`
    struct Function {
        std::uint32_t first_block = 0, blocks = 0;
        std::uint32_t symbol = 0;  ///< index into Image::symbols, or no_symbol
    };
    std::vector<Function> functions;  ///< in the order of TEXT
    /// A code address of a block: as the program sees it.
    struct Address {
        std::uint32_t block = 0, address = 0;
        Entry entry = Entry::Label;
    };
    std::vector<Address> addresses;  ///< by block, then by address
    static constexpr std::uint32_t no_symbol = 0xffffffff;

    std::uint32_t end(const Image &image, std::uint32_t block) const {
        return block + 1 < start.size() ? start[block + 1] : static_cast<std::uint32_t>(image.text.size());
    }
};
CodeBlocks code_blocks(const Image &image);
/// The code addresses of a block.
std::span<const CodeBlocks::Address> addresses_of(const CodeBlocks &blocks, std::uint32_t block);

/// The block that the instruction at TEXT index `at` may jump to or calls, if it names one.
std::optional<std::uint32_t> named_block(const Image &image, const CodeBlocks &blocks, std::uint32_t at);
/// The code address of what stands behind the call at TEXT index `at`, if that has one.
std::optional<std::uint32_t> return_address(const Image &image, const CodeBlocks &blocks, std::uint32_t at);
/// True if the instruction there is a call.
inline bool is_call(const Image &image, std::uint32_t at) { return image.jumps[at] == JumpKind::call; }
/// True if the instruction there is a return.
inline bool is_return(const Image &image, std::uint32_t at) { return image.jumps[at] == JumpKind::returns; }

}  // namespace mog
