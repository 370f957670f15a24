// world_reader.cpp
#include "runtime_host/checkpoint/world_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "support/archive.hpp"

namespace mog {

namespace {

/// A checkpoint of which somebody has a part.
struct Found {
    std::uint64_t life = 0;
    std::uint32_t number = 0;
    static void carry(auto &self, auto &archive) { archive(self.life, self.number); }
    bool operator==(const Found &) const = default;
};
/// What a process has.
struct Parts {
    std::string failure;
    std::vector<Found> found;
    std::uint32_t process = 0, processes = 0;  ///< that the files were written by; 0: there are none
    bool is_alone = false;                     ///< there is one of a lone process by the name
    static void carry(auto &self, auto &archive) { archive(self.failure, self.found, self.process, self.processes, self.is_alone); }
};

using Reader = std::unique_ptr<CheckpointReader>;
using Which = CheckpointReader::Which;

Parts look_for_parts(const std::filesystem::path &place, std::vector<Reader> &readers) {
    Parts parts;
    for (const Which which : {Which::Named, Which::New}) {
        Result<Reader> reader = CheckpointReader::look(place, which);
        if (!reader) {
            parts.failure = reader.error().text();
            return parts;
        }
        if (!*reader) continue;
        const PartOfWorld &part = (*reader)->part();
        parts.process = part.process;
        parts.processes = part.processes;
        for (const std::uint32_t number : (*reader)->whole()) parts.found.push_back({part.life, number});
        readers.push_back(*std::move(reader));
    }
    return parts;
}

/// Empty: all fits.
std::string problem_of(std::span<const Parts> all, const std::string &name) {
    const auto count = static_cast<std::uint32_t>(all.size());
    for (const Parts &parts : all)
        if (parts.processes != 0 && parts.processes != count)
            return fmt::format("the checkpoint {} is of {} processes, and here are {}: mpirun -n {} goes on", name, parts.processes, count,
                               parts.processes);
    for (std::uint32_t process = 0; process < count; process++) {
        if (!all[process].failure.empty()) return fmt::format("process {}: {}", process, all[process].failure);
        if (all[process].processes != 0 && all[process].process != process)
            return fmt::format("the checkpoint {} of process {} is a part that process {} has written", name, process,
                               all[process].process);
    }
    if (all.front().found.empty() && all.front().is_alone)
        return fmt::format("the checkpoint {} is of one process, and here are {}: it goes on without mpirun", name, count);
    if (all.front().found.empty())
        return fmt::format("there is no checkpoint {}: none was written yet, or the run has ended, which removes it", name);
    return {};
}

}  // namespace

Result<Reader> open_world_checkpoint(const std::filesystem::path &checkpoint, mpi::Bridge &bridge) {
    std::vector<Reader> readers;
    Parts own = look_for_parts(place_of_part(checkpoint, bridge.process()), readers);
    std::error_code failed;
    own.is_alone = std::filesystem::is_regular_file(checkpoint, failed);
    ArchiveWriter archive;
    archive(own);
    const Result<std::vector<std::vector<std::uint8_t>>> said = bridge.exchange(archive.bytes());
    if (!said) return said.error();
    std::vector<Parts> all;
    for (const std::vector<std::uint8_t> &bytes : *said) {
        ArchiveReader reader(bytes);
        reader(all.emplace_back());
    }
    const std::string name = checkpoint.string();
    if (std::string problem = problem_of(all, name); !problem.empty()) return bridge.leave(std::move(problem));
    // The last one that all have.
    Found last;
    std::string missing;
    for (const Found &found : all.front().found) {
        const auto lacks = [&](const Parts &parts) { return std::ranges::find(parts.found, found) == parts.found.end(); };
        const auto one = std::ranges::find_if(all, lacks);
        if (one != all.end()) missing = fmt::format("process {} has no part of it", one - all.begin());
        else if (found.number > last.number) last = found;
    }
    if (last.number == 0)
        return bridge.leave(fmt::format("there is no checkpoint {} that all {} processes have: {}; each finds its own in {}.N", name,
                                        all.size(), missing, name));
    for (Reader &reader : readers) {
        const std::vector<std::uint32_t> whole = reader->whole();
        if (reader->part().life != last.life || std::ranges::find(whole, last.number) == whole.end()) continue;
        MOG_TRY(reader->choose(last.number));
        return std::move(reader);
    }
    return Error{fmt::format("the checkpoint {} is not there any more", name)};
}

}  // namespace mog
