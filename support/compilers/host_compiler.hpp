// host_compiler.hpp: the interpreter and the compiled blocks of a program become native code, for the device `host`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/compilers/simd.hpp"
#include "support/result.hpp"
#include "support/subprocess.hpp"

namespace mog {

/// The C++ compiler of this machine, perhaps with options: $MOG_CXX, else c++. Empty: none wanted.
std::string host_compiler();

/// The same, split into words. Error: there is none, which says what to do.
Result<Command> usable_host_compiler();

/// Which of a program's sources: the interpreter with its blocks, or the code for lanes.
enum class HostSource : std::uint8_t { interpreter, lanes };
enum class HostProduct : std::uint8_t { host, lanes, sequence };

/// A shared object, made from objects that are compiled at the same time.
struct HostLibrary {
    struct Part {
        HostSource source;
        std::string object;  ///< for the name of a file
        std::vector<std::string> flags;
    };
    HostProduct product;
    std::vector<Part> parts;
};

/// The parts of an image's compiled blocks, hot ones and others; none of either if it has no blocks.
struct BlockParts {
    std::size_t hot = 0, cold = 0;
    bool any = false;  ///< what is around blocks is there, for code that is compiled later, even if none of them is
};
/// What there is to make: of an image with such blocks the interpreter with them, where it is wanted, and the code for lanes, by what that
/// is compiled for.
std::vector<HostLibrary> host_libraries(std::optional<BlockParts> interpreter, Simd lanes);

/// The product `sequence`, which tries subinterpreters one after the other.
HostLibrary host_sequence_library(bool count, bool fuel);

/// How they are made.
struct HostBuild {
    Command compiler;
    std::string doubles;                                                 ///< native, pair or soft; empty for native
    std::vector<std::string> warnings = {"-w"};                          ///< flags: users have no use for any
    std::function<void(const Command &)> show = [](const Command &) {};  ///< gets each command before it is run
};

/// Shows the commands alone, with names as if they were run in one folder.
void show_host_build(const std::vector<HostLibrary> &libraries, const HostBuild &build);

/// The same for one library, to be run in a folder that has its sources: those that compile may run at the same time.
struct HostCommands {
    std::vector<Command> compilations;
    Command link;
    std::string result;  ///< the file that it makes
};
HostCommands host_commands(const HostLibrary &library, const HostBuild &build);
/// The name that they know a source by.
std::string host_source_name(HostSource source);

/// What they are made of, in C++.
struct HostSources {
    std::span<const std::uint8_t> interpreter, lanes;
};
/// The bytes of each library, in their order.
Result<std::vector<std::vector<std::uint8_t>>> build_host_libraries(const std::vector<HostLibrary> &libraries, const HostBuild &build,
                                                                    const HostSources &sources);

}  // namespace mog
