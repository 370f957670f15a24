// mpi_wrapper.cpp: answers in the words of MPICH and Open MPI. Programs with MPI need nothing but mogcc; folders and library are named for
// those who look for mpi.h and a library themselves, such as CMake's FindMPI.
#include "mogcc/mpi_wrapper.hpp"

#include <fmt/format.h>

#include "mogcc/command_line.hpp"

namespace mog {

std::optional<std::string> answer_as_mpi_wrapper(std::string_view name, std::span<char *const> arguments, const Toolchain &tools) {
    const std::string compiler = is_cxx_driver(name) ? "mogc++" : is_fortran_driver(name) ? "mogfortran" : "mogcc";
    const bool fortran = is_fortran_driver(name);
    const std::string include = fortran ? tools.lib("finclude").string() : (tools.sysroot / "include").string();
    const std::string libraries = (tools.sysroot / "lib").string();
    const std::string compile = fmt::format("-I{}{}", include, fortran ? " -fallow-argument-mismatch" : "");
    const std::string link = fmt::format("-L{} {}-lmpi", libraries, fortran ? "-lmpifort " : "");
    const struct {
        std::string_view option;
        std::string answer;
        bool whole = false;  ///< the compiler comes first, and the other arguments go along
    } questions[] = {
        {"-show", compile + " " + link, true},
        {"-compile_info", compile, true},
        {"-compile-info", compile, true},
        {"-link_info", link, true},
        {"-link-info", link, true},
        {"--showme", compile + " " + link, true},
        {"--showme:command", compiler},
        {"--showme:compile", compile},
        {"--showme:link", link},
        {"--showme:incdirs", include},
        {"--showme:libdirs", libraries},
        {"--showme:libs", fortran ? "mpifort mpi" : "mpi"},
        {"--showme:home", (tools.sysroot.parent_path() / "mpi").string()},
        {"--showme:version", "mogcc (MOG) " MOG_VERSION ", MPI 3.1"},
    };
    for (const char *const argument : arguments)
        for (const auto &[option, answer, whole] : questions) {
            // Open MPI's have one dash or two.
            if (argument != option && !(option.starts_with("--") && argument == option.substr(1))) continue;
            if (!whole) return answer;
            std::string command = compiler;
            for (const char *const other : arguments)
                if (other != argument) command += fmt::format(" {}", other);
            return fmt::format("{} {}", command, answer);
        }
    return {};
}

}  // namespace mog
