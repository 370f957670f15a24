// block_plan.hpp: which code of a program is compiled, rather than interpreted, by the engine "blocks".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assembler/execution.hpp"
#include "assembler/image.hpp"
#include "support/simd.hpp"

namespace mog {

struct BlockOptions {
    /// What a compiler may take for the compiled code, about; 0: everything is interpreted. None: by the size of the program.
    std::optional<double> build_seconds;
    bool all = false;          ///< rather everything, whatever it takes
    Simd lanes = Simd::none;   ///< what code for lanes is compiled for
    bool all_in_lanes = false; ///< whatever is compiled for one PE; else where the user's program loops, and what is called from there
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
    };
    CodeBlocks code;
    std::vector<Group> groups;
    std::vector<std::uint32_t> group_of;  ///< by block: its group, from 1; 0: interpreted
    std::vector<Entry> entries;           ///< where control may come in, ascending by `at`
    std::vector<double> executed;         ///< by block: how often

    bool empty() const { return groups.empty(); }
};

/// The most executed blocks, as many as a compiler is expected to manage in the time.
BlockPlan plan_blocks(const Image &image, const Execution &execution, const BlockOptions &options);
/// Those that are worth compiling for lanes too, in as much time again; none where the user's program has no loops.
/// `blocks`: what plan_blocks gave, for all_in_lanes.
BlockPlan plan_lanes(const Image &image, const Execution &execution, const BlockOptions &options, const BlockPlan &blocks);

/// The image's product "entries": for each entry its TEXT index, group and number as u32, little-endian.
std::vector<std::uint8_t> write_entries(const BlockPlan &plan);
/// The same of all compiled blocks, numbered by their place in the group: "places".
std::vector<std::uint8_t> write_places(const BlockPlan &plan);
/// What the image's code for lanes was compiled for, by its product "simd"; none if it has no such code.
Simd simd_of(const Image &image);
/// By TEXT index, and one more for code that runs off its end: 0, or group << 16 | number of the entry there, by one of the
/// two products. Empty if the image does not have it.
std::vector<std::uint32_t> entry_table(const Image &image, const char *product = "entries");

}  // namespace mog
