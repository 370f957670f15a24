// profile.hpp: counts of runs, in a file that outlives the program it was made with.
//
// A profile names functions, each with a hash of its code in which what linking decides is left out: functions that did
// not change since keep their counts, whatever happened around them. The file is text:
//
//     mog-profile 1
//     program NAME
//     pes N                     over all runs
//     runs N
//     function NAME HASH N      N blocks; lines `BLOCK COUNT [TAKEN]` follow for those that were executed
//     jump F B G C COUNT        through a register, from block B of the F-th function (from 0) to block C of the G-th
//     end CHECKSUM              FNV-1a of all before, in 16 hexadecimal digits
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/profile/execution.hpp"
#include "support/result.hpp"

namespace mog {

/// What a device counted, by TEXT index.
struct RunCounts {
    std::vector<std::uint64_t> executed;
    std::vector<std::uint64_t> taken;  ///< times control did not go on to the next instruction
    /// Where `j` went, if the device knows: `from` and `to` are TEXT indices. Empty: it does not.
    struct Jump {
        std::uint32_t from = 0, to = 0;
        std::uint64_t count = 0;
    };
    std::vector<Jump> jumps;
};

struct Profile {
    struct Block {
        std::uint32_t number = 0;  ///< within the function, in the order of TEXT
        std::uint64_t count = 0, taken = 0;
    };
    struct Function {
        std::string name;
        std::uint64_t hash = 0;
        std::uint32_t blocks = 0;
        std::vector<Block> counts;  ///< of executed blocks, ascending
    };
    struct Jump {
        std::uint32_t from_function = 0, from_block = 0, to_function = 0, to_block = 0;
        std::uint64_t count = 0;
    };
    std::string program;
    std::uint64_t pes = 0, runs = 0;
    std::vector<Function> functions;
    std::vector<Jump> jumps;
};

/// The profile of one run of a program by `pes` PEs.
Profile make_profile(const Image &image, const RunCounts &counts, std::string_view program, std::uint64_t pes);

std::string write_profile(const Profile &profile);
/// Error: the text is empty, damaged, of another version, or no profile; the sentence says which.
Result<Profile> read_profile(std::string_view text);

/// Profiles of runs added up, of which only one at a time need be in memory. The image must outlive it.
class ProfileMerge {
public:
    explicit ProfileMerge(const Image &image);
    ~ProfileMerge();

    /// `notes` gets a sentence if a part does not fit: functions that changed or are gone. Error: the profile is of
    /// another program altogether.
    Result<void> add(const Profile &profile, std::vector<std::string> &notes);

    /// What they say about the program. Error: they tell of nothing executed.
    Result<Execution> execution() &&;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// What these profiles say about this program, as ProfileMerge has it.
Result<Execution> execution_of(const Image &image, std::span<const Profile> profiles, std::vector<std::string> &notes);

}  // namespace mog
