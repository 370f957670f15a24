// launcher.cpp: variables of launchers.
#include "runtime_host/mpi/transport/launcher.hpp"

#include <charconv>

#include <fmt/format.h>

#include "runtime_host/mpi/transport/system_mpi.hpp"
#include "support/environment.hpp"

namespace mog::mpi {

namespace {

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
    const Result<const mog_transport *> loaded = load_system_mpi(launch.variable.starts_with("OMPI_"));
    if (!loaded) return missing(loaded.error().text());
    const mog_transport *const transport = *loaded;
    unsigned process = 0, processes = 0;
    if (transport->open(&process, &processes) != 0) return missing(fmt::format("{} says: {}", transport->library, transport->error()));
    if (process == launch.process && processes == launch.processes) return transport;
    transport->close();
    return Error{
        fmt::format("the launcher started {} processes ({}), but {} sees {}: use the mpirun that belongs to it, or "
                    "name the library of the other in MOG_MPI_LIBRARY",
                    launch.processes, says, transport->library, processes)};
}

}  // namespace mog::mpi
