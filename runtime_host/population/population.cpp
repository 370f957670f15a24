// population.cpp
#include "runtime_host/population/population.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runtime_host/device/host_room.hpp"
#include "runtime_host/mpi/engine.hpp"

namespace mog {

static_assert(sizeof(Process) + sizeof(PeEnd) + sizeof(PeState) >= service_bytes_per_pe);

namespace {

/// --collate, with a patience that is no matter of time where nothing shall be.
std::optional<Collation> collation_of(const RunConfig &config) {
    if (!config.options.collate) return {};
    Collation collation{.world = config.world()};
    if (config.options.deterministic) collation.patience = std::chrono::milliseconds(-1);
    return collation;
}

}  // namespace

Population::Population(const Image &image, const RunConfig &config_)
    : config(config_),
      processes(config.nproc),
      ends(config.nproc),
      states(config.pes(), PeState::Free),
      wakes(config.pes() - config.nproc),
      output(config.output, config.nproc, config.options.tag_output, config.first_rank, collation_of(config)),
      files(output, config.options.stdin_mode, config.stdin_pe(), config.paths),
      host_pid(static_cast<std::uint32_t>(getpid())),
      faults(image, config.world(),
             {config.memory_hint, config.options.fuel, config.options.timeout, config.shows_source(), config.options.fault_registers,
              config.first_rank, config.threads > 1 ? config.nproc : 0, config.keeps_causes,
              config.options.schedule ? fmt::format("--schedule={}", *config.options.schedule) : ""},
             config.say) {
    for (std::uint32_t pe = 0; pe < config.nproc; pe++) {
        processes[pe].rank = pe;
        if (!config.sweep) states[pe] = PeState::Runs;
    }
    if (config.threads > 1 || config.window_bytes != 0)
        threads.emplace(config.nproc, config.threads, config.addresses(), config.advised_threads);
    if (threads && config.races) threads->use_others_first();
    if (config.options.fuel) fuel_left.assign(config.nproc, config.options.fuel);
    if (config.gives_input()) files.give_input([this](std::uint32_t pe) { return config.input_of(pe); });
    files.set_most_open(std::max(FileSystem::usual_most_open, std::uint64_t{16} * config.nproc));
    result.calls_by_row.resize(syscall_rows().size());
}

Population::~Population() = default;

std::vector<std::uint32_t> Population::all_running() const {
    std::vector<std::uint32_t> pes;
    for (std::uint32_t pe = 0; pe < config.nproc; pe++)
        if (ends[pe].by == EndedBy::Not) pes.push_back(pe);
    return pes;
}

std::vector<std::uint32_t> Population::world_ranks(std::vector<std::uint32_t> pes) const {
    for (std::uint32_t &pe : pes) pe += config.first_rank;
    return pes;
}

}  // namespace mog
