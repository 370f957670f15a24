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

/// Writes the core of a PE, which is `rank` in the world: NT_PRSTATUS, NT_FPREGSET, NT_PRPSINFO and its DATA, zeros as holes. `signal`:
/// of MIPS Linux, 0 for a limit; `bad_address`: of a fault, else 0. Error: why the file or the device failed.
Result<void> write_core(const CoreConfig &config, const CoreOrigin &origin, const Image &image, StoppedPe &pe, std::uint32_t rank,
                        std::uint32_t signal, std::uint32_t bad_address);

}  // namespace mog
