// mpirun_options.hpp: command lines that were written for mpirun or mpiexec.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace mog {

/// What mpirun's options on a command line of mogrun ask for.
struct MpirunRequest {
    std::vector<std::string> words;                                ///< the others: mogrun's options, the program and its arguments
    std::vector<std::pair<std::string, std::string>> environment;  ///< variables to set
    std::string directory;                                         ///< where to begin; empty: here
    std::optional<std::uint32_t> slots;                            ///< of the hosts that were named
    std::vector<std::string> warnings;
};

/// `own` knows mogrun's options, as "--name" or "-n": how many words follow one; nullopt if it is none. The first word is mogrun's name.
/// Error: what cannot be done, with the option.
Result<MpirunRequest> take_mpirun_options(const std::vector<std::string> &words,
                                          const std::function<std::optional<int>(const std::string &)> &own);

/// Whether a name, also with a path, is one of mpirun and mpiexec (mogmpirun): each `:` would begin another program then.
bool is_mpirun(std::string_view name);

/// For --help, whole lines.
std::string mpirun_help();

}  // namespace mog
