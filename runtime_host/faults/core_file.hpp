// core_file.hpp: what a PE was when it ended, as an ELF core of MIPS Linux, for gdb-multiarch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runtime_host/faults/stopped_pe.hpp"
#include "support/files/result_file.hpp"
#include "support/result.hpp"

namespace mog {

/// Which PEs leave a core when something other than their own exit ends them, and where.
struct CoreConfig {
    enum class Which : std::uint8_t { None, Ranks, First, All } which = Which::None;  ///< First: of each message
    std::vector<std::uint32_t> ranks;                                                 ///< ascending
    std::string directory;                                                            ///< empty: the current one

    bool wants(std::uint32_t rank, bool is_first) const;
};

/// Of a program that is loaded, what is known about its cores before there is any.
struct CoreOrigin {
    std::shared_ptr<const ResultFolder> folder{};  ///< the directory, as it was opened before PEs started
    std::string program{}, arguments{};            ///< the program's name, its whole command line
};

/// DIR/core.RANK
std::filesystem::path core_path(const CoreConfig &config, std::uint32_t rank);

/// What a core is of.
struct CoreSubject {
    StoppedPe &pe;  ///< what went wrong: a process, or the thread of it that did
    std::uint32_t process = 0;
    std::span<StoppedPe> other_threads{};
    std::uint32_t signal = 0;       ///< of MIPS Linux; 0: a limit
    std::uint32_t bad_address = 0;  ///< of a fault, else 0
};
/// Writes the core of a process, which is `rank` in the world: NT_PRPSINFO, NT_PRSTATUS and NT_FPREGSET of each thread, and its DATA, zeros
/// as holes. Error: why the file or the device failed.
Result<void> write_core(const CoreConfig &config, const CoreOrigin &origin, const Image &image, std::uint32_t rank,
                        const CoreSubject &subject);

}  // namespace mog
