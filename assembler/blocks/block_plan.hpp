// block_plan.hpp: which code of a program is compiled, rather than interpreted, by the engine "blocks".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assembler/image/image.hpp"
#include "assembler/profile/execution.hpp"
#include "support/compilers/host_compiler.hpp"
#include "support/compilers/simd.hpp"

namespace mog {

/// What is compiled, and for how long. Of two budgets the larger one never leaves out what the smaller one takes.
enum class BlockPurpose : std::uint8_t {
    host,     ///< by g++ on several cores, once, when the program is built
    kernels,  ///< by the compiler of an OpenCL or CUDA driver, when the program is first run
    lanes,    ///< for several PEs at once
};

struct BlockOptions {
    /// What a compiler may take for the compiled code, about; 0: everything is interpreted. None: for the host all of the user's
    /// functions and what they need most, for others by the size of the program.
    std::optional<double> build_seconds;
    bool all = false;  ///< rather everything, whatever it takes
    /// The host compiles what is executed while it runs, and for it no block is compiled beforehand unless build_seconds or all says so.
    bool host_compiles = false;
    Simd lanes = Simd::none;    ///< what code for lanes is compiled for
    bool all_in_lanes = false;  ///< whatever is compiled for kernels; else where the user's program loops, and what is called from there
    std::optional<BlockPurpose> only{};  ///< one plan, host or kernels, for all: what is written as sources shares its entries
    /// How many times as fast as where the estimates were made the compiler for the host is (support/compilers/compiler_speed.hpp).
    double compiler_speed = 1;
};

/// The compiled blocks. Each group becomes a function of the generated source, within which control goes from block to
/// block without leaving; its size is bounded, for compilers take more than linear time for big functions.
struct BlockPlan {
    struct Entry {
        std::uint32_t at = 0;      ///< TEXT index
        std::uint32_t group = 0;   ///< from 1
        std::uint32_t number = 0;  ///< in its group, from 0
    };
    struct Group {
        std::string name;                   ///< of the functions that its blocks belong to
        std::vector<std::uint32_t> blocks;  ///< of CodeBlocks, ascending
        std::uint32_t instructions = 0;     ///< in them
        std::uint32_t part = 0;             ///< for the host: which of `parts` it is in
    };
    /// For the host: groups that are compiled by themselves, at the same time as others, and whether as well as g++ can.
    enum class Part : std::uint8_t { hot, cold };
    CodeBlocks code;
    std::uint16_t stops = 0;  ///< stop_effects() of the image
    std::vector<Group> groups;
    std::vector<Part> parts;              ///< hot ones first; empty unless for the host
    std::vector<std::uint32_t> group_of;  ///< by block: its group, from 1; 0: interpreted
    std::vector<Entry> entries;           ///< where control may come in, ascending by `at`
    std::vector<double> executed;         ///< by block: how often
    std::vector<bool> breaks;             ///< by TEXT index: the interpreter is to look before each of these; empty: nowhere

    bool empty() const { return groups.empty(); }
    bool has_break(std::uint32_t at) const { return at < breaks.size() && breaks[at]; }
};

/// The blocks that block_choice.hpp chooses, in groups.
BlockPlan plan_blocks(const Image &image, const Execution &execution, const BlockOptions &options,
                      BlockPurpose purpose = BlockPurpose::host);
/// Whether functions of libraries may be in a group with others; or, long ones or all, are apart, so that their groups are the same in all
/// programs.
enum class LibraryGroups : std::uint8_t { joined, long_apart, apart };
/// Blocks for kernels that somebody else has chosen: by block of code_blocks().
BlockPlan plan_chosen_blocks(const Image &image, const Execution &execution, std::vector<bool> chosen, LibraryGroups libraries);
/// Those that are worth compiling for lanes too, in the usual time; none where the user's program has no loops.
/// `kernels`: what plan_blocks gave for these, for all_in_lanes.
BlockPlan plan_lanes(const Image &image, const Execution &execution, const BlockOptions &options, const BlockPlan &kernels);

/// The image's products "entries" and "kernel_entries": for each entry its TEXT index, group and number as u32, little-endian.
std::vector<std::uint8_t> write_entries(const BlockPlan &plan);
/// The products "compiled" and "kernel_compiled": a bit for each TEXT index, the lowest first, that says whether it is in one of the
/// blocks.
std::vector<std::uint8_t> write_compiled(const BlockPlan &plan);
/// The product "parts": a byte for each, what it is.
std::vector<std::uint8_t> write_parts(const BlockPlan &plan);
/// How many parts of each kind the image's C++ source has; whether it has the surroundings of blocks.
BlockParts block_parts(const Image &image);
/// The same of all compiled blocks, numbered by their place in the group: "places".
std::vector<std::uint8_t> write_places(const BlockPlan &plan);
/// The plan whose places an image has; without names of groups, and entries, for all its blocks are.
BlockPlan plan_of_places(const Image &image, const Execution &execution);
/// What the image's code for lanes was compiled for, by its product "simd"; none if it has no such code.
Simd simd_of(const Image &image);
/// By TEXT index, and one more for code that runs off its end: 0, or group << 16 | number of the entry there, by one of the
/// products. Empty if the image does not have it.
std::vector<std::uint32_t> entry_table(const Image &image, ProductKind product = ProductKind::entries);
/// The same of a plan.
std::vector<std::uint32_t> entry_table(const BlockPlan &plan);
/// The same for the kernels "opencl" and "cuda", in which other blocks may be compiled than for the host.
std::vector<std::uint32_t> kernel_entry_table(const Image &image);
/// By TEXT index, and one more for code that runs off its end: whether mogcc compiled it, for the host, and for kernels. Empty: the
/// image does not say.
std::vector<bool> compiled_places(const Image &image);
std::vector<bool> kernel_compiled_places(const Image &image);

}  // namespace mog
