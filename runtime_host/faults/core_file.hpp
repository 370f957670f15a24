// core_file.hpp: what a PE was when it ended, as an ELF core of MIPS Linux, for gdb-multiarch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/files/result_file.hpp"
#include "runtime_host/faults/stopped_pe.hpp"
#include "support/result.hpp"

namespace mog {

/// Which PEs leave a core when something other than their own exit ends them, and where.
struct CoreConfig {
    enum class Which : std::uint8_t { None, Ranks, First, All } which = Which::None;  ///< First: of each message
    std::vector<std::uint32_t> ranks;  ///< ascending
    std::string directory;             ///< empty: the current one; for messages,
    std::shared_ptr<const ResultFolder> folder;  ///< and as it was opened before PEs started
    std::uint32_t first_rank = 0;      ///< of PE 0 in the world
    std::string program, arguments;    ///< for the core: the program's name, its whole command line

    bool wants(std::uint32_t pe, bool is_first) const;
};

/// DIR/core.RANK
std::filesystem::path core_path(const CoreConfig &config, std::uint32_t pe);

/// Writes the core of a PE: NT_PRSTATUS, NT_FPREGSET, NT_PRPSINFO and its DATA, zeros as holes. `signal`: of MIPS Linux, 0 for
/// a limit; `bad_address`: of a fault, else 0. Error: why the file or the device failed.
Result<void> write_core(const CoreConfig &config, const Image &image, StoppedPe &pe, std::uint32_t signal,
                        std::uint32_t bad_address);

}  // namespace mog
