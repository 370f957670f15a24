// launcher.cpp: variables of launchers; finding and loading the module.
#include "runtime_host/mpi/transport/launcher.hpp"

#include <dlfcn.h>

#include <charconv>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "support/environment.hpp"

#ifndef MOG_BRIDGE_MODULE
#define MOG_BRIDGE_MODULE ""
#define MOG_INSTALL_PREFIX ""
#endif

namespace mog::mpi {

namespace {

namespace fs = std::filesystem;

/// Of Open MPI; of MPICH and others with Hydra or PMI; of PMIx under Slurm.
constexpr struct {
    const char *process, *processes;
} launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"PMIX_RANK", "SLURM_NTASKS"}};

std::optional<std::uint32_t> number_in(const char *variable) {
    const std::string text = environment_variable(variable);
    std::uint32_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || failed != std::errc() || end != text.data() + text.size()) return {};
    return number;
}

/// Beside mogrun, as it is built or installed; else where it was built, or was to be installed: programs of mogcc may
/// be anywhere.
std::vector<fs::path> places_of_module() {
    std::error_code failed;
    const fs::path own = fs::read_symlink("/proc/self/exe", failed), built = MOG_BRIDGE_MODULE;
    const fs::path inside = fs::path("lib") / "mog" / built.filename();
    return {own.parent_path().parent_path() / inside, fs::path(MOG_INSTALL_PREFIX) / inside, built};
}

}  // namespace

std::optional<Launch> find_launch() {
    for (const auto &launcher : launchers) {
        const auto process = number_in(launcher.process), processes = number_in(launcher.processes);
        if (process && processes && *processes > 1) return Launch{*process, *processes, launcher.processes};
    }
    return {};
}

Result<const mog_transport *> join_launch(const Launch &launch) {
    const std::string says = fmt::format("{}={}", launch.variable, launch.processes);
    const auto missing = [&](std::string_view why) {
        return Error{
            fmt::format("this is one of {} processes ({}), which make one world of ranks by MPI, but {}", launch.processes, says, why)};
    };
    if (std::string_view(MOG_BRIDGE_MODULE).empty())
        return missing("this mogrun was built without MPI; install libopenmpi-dev or libmpich-dev, and build it again");
    void *library = nullptr;
    std::error_code failed;
    const std::vector<fs::path> places = places_of_module();
    // MPI's own plug-ins look for its functions among those of all.
    for (const fs::path &place : places)
        if (!library && fs::exists(place, failed) && !(library = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL)))
            return missing(fmt::format("the module for it cannot be loaded: {}", dlerror()));
    if (!library) return missing(fmt::format("the module for it is not at {}; install MOG again", places.back().string()));
    const auto get = reinterpret_cast<mog_get_transport_function *>(dlsym(library, MOG_TRANSPORT_SYMBOL));
    const mog_transport *transport = get ? get() : nullptr;
    if (!transport || transport->version != MOG_TRANSPORT_VERSION)
        return missing("the module for it is of another version of MOG; build it again");
    unsigned process = 0, processes = 0;
    if (transport->open(&process, &processes) != 0) return missing(fmt::format("{} says: {}", transport->library, transport->error()));
    if (process == launch.process && processes == launch.processes) return transport;
    transport->close();
    return Error{
        fmt::format("the launcher started {} processes ({}), but {} sees {}: use the mpirun that belongs to it, or "
                    "build MOG with the other MPI",
                    launch.processes, says, transport->library, processes)};
}

}  // namespace mog::mpi
