// population_state.cpp
#include "runtime_host/service/population_state.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <istream>
#include <ostream>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/device/kernel_cache.hpp"
#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/mpi/transport/bridge.hpp"
#include "runtime_host/service/file_state.hpp"
#include "runtime_host/service/run_queue.hpp"
#include "support/archive.hpp"
#include "support/files/hash.hpp"

namespace mog {

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr std::string_view magic = "MOGSTATE";
constexpr u32 version = 5;
/// Memory is looked at, and kept or left out, in pieces of this size.
constexpr u32 page = 4096;
constexpr u32 at_once = 16u << 20;  ///< bytes of memory in a section; those at an extent's begin come with registers

/// "HEAD", ...
enum class Section : u32 {
    Head = 0x44414548,
    Pes = 0x20534550,
    Threads = 0x44524854,
    Runs = 0x534e5552,
    Mpi = 0x2049504d,
    Memory = 0x204d454d,
    End = 0x20444e45
};

Error damaged(std::string_view what) { return Error{fmt::format("the state is damaged: {}", what)}; }

// ---- sections -------------------------------------------------------------------------------------------------------------

Result<void> put(std::ostream &out, std::span<const u8> bytes) {
    out.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return out ? Result<void>() : Error{"the state cannot be written: the stream takes no more"};
}

Result<void> put_section(std::ostream &out, Section name, std::span<const u8> bytes) {
    ArchiveWriter head, tail;
    head(name, u64{bytes.size()});
    tail(fnv1a(bytes, fnv1a(head.bytes())));
    MOG_TRY(put(out, head.bytes()));
    MOG_TRY(put(out, bytes));
    return put(out, tail.bytes());
}

/// So many bytes, as far as there are: what is said of a length takes no memory.
Result<void> get(std::istream &in, u64 size, std::vector<u8> &bytes) {
    constexpr u64 piece = 1u << 20;
    bytes.clear();
    while (bytes.size() < size) {
        const std::size_t at = bytes.size(), more = std::min(piece, size - at);
        bytes.resize(at + more);
        if (!in.read(reinterpret_cast<char *>(bytes.data() + at), static_cast<std::streamsize>(more))) return damaged("it ends too early");
    }
    return {};
}

struct ReadSection {
    Section name;
    std::vector<u8> bytes;
};

Result<ReadSection> get_section(std::istream &in) {
    ReadSection section{};
    std::vector<u8> head, tail;
    MOG_TRY(get(in, sizeof(u32) + sizeof(u64), head));
    u64 size = 0, hash = 0;
    ArchiveReader{head}(section.name, size);
    MOG_TRY(get(in, size, section.bytes));
    MOG_TRY(get(in, sizeof hash, tail));
    ArchiveReader{tail}(hash);
    if (hash != fnv1a(section.bytes, fnv1a(head))) return damaged("a checksum is wrong");
    return section;
}

// ---- whose it is --------------------------------------------------------------------------------------------------------------

struct Head {
    u64 program = 0;
    u32 launch_version = MOG_LAUNCH_VERSION, nproc = 0, threads = 0, data_bytes = 0, registers = 0, process = 0, processes = 1;
    bool has_fuel = false, has_mpi = false, memory_is_apart = false;
    std::vector<std::string> natives;  ///< functions of the host: PEs know their numbers

    static void carry(auto &self, auto &archive) {
        archive(self.program, self.launch_version, self.nproc, self.threads, self.data_bytes, self.registers, self.process, self.processes,
                self.has_fuel, self.has_mpi, self.memory_is_apart, self.natives);
    }
};

// ---- memory ---------------------------------------------------------------------------------------------------------------------

/// Some of a PE's memory, or of its state.
struct Piece {
    u32 pe = 0, offset = 0;  ///< bytes of DATA
    std::vector<u8> bytes;
    static void carry(auto &self, auto &archive) { archive(self.pe, self.offset, self.bytes); }
};
struct MemorySection {
    std::vector<u32> registers;  ///< rows of the state of each PE; none, where it is one PE's memory beyond the first section
    std::vector<Piece> pieces;
    static void carry(auto &self, auto &archive) { archive(self.registers, self.pieces); }
};

/// What is not zero, or was not when the PE was loaded, page by page.
class MemoryWriter {
public:
    MemoryWriter(std::ostream &out, const StateParts &parts)
        : out_(out), parts_(parts), loaded_(std::max<u64>(parts.image.data.size(), 4 * MOG_CB_WORDS)) {}

    Result<void> write(const MemoryExtent &extent) {
        MemorySection section;
        std::vector<Transfer> transfers;
        const u32 rows = state_rows(parts_.image);
        for (u32 i = 0; extent.offset == 0 && i < extent.processes; i++)
            for (u32 row = 0; row < rows; row++) transfers.push_back({extent.first + i, row, 4, 4 * (i * rows + row), true});
        section.registers.resize(transfers.size());
        if (!transfers.empty())
            MOG_TRY(parts_.device.gather(transfers, {reinterpret_cast<u8 *>(section.registers.data()), 4 * transfers.size()}));
        transfers.clear();
        staging_.resize(std::size_t{extent.processes} * extent.bytes);
        for (u32 i = 0; i < extent.processes; i++)
            transfers.push_back({extent.first + i, MOG_DATA_BASE + extent.offset, extent.bytes, i * extent.bytes, false});
        MOG_TRY(parts_.device.gather(transfers, staging_));
        for (u32 i = 0; i < extent.processes; i++)
            add_pieces(section, extent.first + i, extent.offset,
                       std::span<const u8>(staging_).subspan(std::size_t{i} * extent.bytes, extent.bytes));
        ArchiveWriter archive;
        archive(section);
        return put_section(out_, Section::Memory, archive.bytes());
    }

private:
    void add_pieces(MemorySection &section, u32 pe, u32 offset, std::span<const u8> memory) {
        bool goes_on = false;
        for (u32 at = 0; at < memory.size(); at += page) {
            const std::span<const u8> piece = memory.subspan(at, std::min<std::size_t>(page, memory.size() - at));
            const bool is_kept = offset + at < loaded_ || std::ranges::any_of(piece, [](u8 byte) { return byte != 0; });
            if (is_kept && !goes_on) section.pieces.push_back({pe, offset + at, {}});
            if (is_kept) section.pieces.back().bytes.insert(section.pieces.back().bytes.end(), piece.begin(), piece.end());
            goes_on = is_kept;
        }
    }

    std::ostream &out_;
    const StateParts &parts_;
    u64 loaded_;  ///< bytes with which DATA begins that are not zero from the start
    std::vector<u8> staging_;
};

Result<void> read_memory(std::span<const u8> bytes, const MemoryExtent &extent, const StateParts &parts) {
    const u32 rows = state_rows(parts.image);
    MemorySection section;
    ArchiveReader archive(bytes);
    archive(section);
    const std::vector<u32> &registers = section.registers;
    if (!archive.is_done() || registers.size() != (extent.offset == 0 ? u64{extent.processes} * rows : 0))
        return damaged("registers are not those of the PEs");
    std::vector<Transfer> transfers;
    for (u32 i = 0; i < registers.size(); i++) {
        const u32 pe = extent.first + i / rows;
        transfers.push_back({pe, i % rows, 4, 4 * i, true});
        if (i % rows == MOG_S_PC && registers[i] >= parts.image.text.size() && parts.population.states[pe] != PeState::Ended)
            return damaged("a PE stands outside of the program");
    }
    if (!transfers.empty())
        MOG_TRY(parts.device.scatter(transfers, {reinterpret_cast<const u8 *>(registers.data()), 4 * registers.size()}));
    transfers.clear();
    std::vector<u8> staging;
    for (const Piece &piece : section.pieces) {
        if (piece.pe - extent.first >= extent.processes || piece.offset < extent.offset || piece.offset - extent.offset > extent.bytes ||
            piece.bytes.size() > extent.bytes - (piece.offset - extent.offset))
            return damaged("memory is not that of the PEs");
        if (piece.bytes.empty()) continue;
        transfers.push_back(
            {piece.pe, MOG_DATA_BASE + piece.offset, static_cast<u32>(piece.bytes.size()), static_cast<u32>(staging.size()), false});
        staging.insert(staging.end(), piece.bytes.begin(), piece.bytes.end());
        staging.resize((staging.size() + 3) & ~std::size_t{3});
    }
    return transfers.empty() ? Result<void>() : parts.device.scatter(transfers, staging);
}

// ---- what PEs are but for memory ----------------------------------------------------------------------------------------------

/// In the order of the section; files come after it.
template <typename Archive>
void carry_pes(const StateParts &parts, double &elapsed, std::map<u32, u64> &calls, Archive &archive) {
    Population &p = parts.population;
    archive(elapsed, p.states, p.ends, p.fuel_left, p.ended, p.waiting, p.host_pid, p.fault_status, p.cores, p.told_unsupported);
    archive(p.result.slices, p.result.calls, p.result.device_seconds, calls);
    Output::carry(p.output, archive);
    FaultLog::carry(p.faults, archive);
    Scheduler::carry(parts.scheduler, archive);
}

bool is_sound(const StateParts &parts) {
    Population &p = parts.population;
    const u32 nproc = p.config.nproc;
    if (p.states.size() != p.config.pes() || p.ends.size() != nproc || (p.fuel_left.size() != (p.config.options.fuel ? nproc : 0)))
        return false;
    const std::span<const PeState> of_processes = std::span(p.states).first(nproc);
    if (p.ended != static_cast<u64>(std::ranges::count(of_processes, PeState::Ended))) return false;
    for (u32 pe = 0; pe < p.states.size(); pe++) {
        if (p.states[pe] > PeState::Free || p.states[pe] == PeState::Calls || (p.states[pe] == PeState::Free && !p.threads && !p.queue))
            return false;
        if ((p.states[pe] == PeState::Ended) != (p.states[p.config.process_of(pe)] == PeState::Ended)) return false;
    }
    for (u32 pe = 0; pe < nproc; pe++) {
        if (p.ends[pe].by > EndedBy::Abort || (p.ends[pe].by != EndedBy::Not) != (p.states[pe] == PeState::Ended)) return false;
        if (p.ends[pe].cause >= p.faults.causes()) return false;
    }
    u64 waiting = 0, last = 0;
    for (const Request &q : p.waiting) {
        if (q[MOG_Q_PE] >= p.states.size() || (waiting != 0 && q[MOG_Q_PE] <= last) || p.states[q[MOG_Q_PE]] != PeState::Waits ||
            q[MOG_Q_STOP] != MOG_STOP_SYS)
            return false;
        if (q[MOG_Q_INFO] != 0 || !find_syscall(q[MOG_Q_NUMBER])) return false;
        last = q[MOG_Q_PE];
        waiting++;
    }
    if (waiting != static_cast<u64>(std::ranges::count(p.states, PeState::Waits))) return false;
    if (std::ranges::any_of(p.cores, [&](u32 pe) { return pe >= nproc; })) return false;
    return p.output.is_sound() && p.faults.restore(nproc) && parts.scheduler.is_sound();
}

Result<void> write_pes(std::ostream &out, const StateParts &parts) {
    ArchiveWriter archive;
    double elapsed = parts.clock.seconds();
    std::map<u32, u64> calls;
    for (std::size_t row = 0; row < syscall_rows().size(); row++)
        calls[syscall_rows()[row].number] = parts.population.result.calls_by_row[row];
    carry_pes(parts, elapsed, calls, archive);
    MOG_TRY(write_files(archive, parts.population));
    return put_section(out, Section::Pes, archive.bytes());
}

Result<void> read_pes(std::span<const u8> bytes, const StateParts &parts) {
    ArchiveReader archive(bytes);
    double elapsed = 0;
    std::map<u32, u64> calls;
    carry_pes(parts, elapsed, calls, archive);
    if (!archive.is_good() || !(elapsed >= 0 && elapsed < 1e9) || !is_sound(parts)) return damaged("what PEs do does not fit together");
    for (std::size_t row = 0; row < syscall_rows().size(); row++)
        parts.population.result.calls_by_row[row] = calls[syscall_rows()[row].number];
    parts.clock.set_elapsed(elapsed);
    MOG_TRY(read_files(archive, parts.population));
    return archive.is_done() ? Result<void>() : damaged("there is more of what PEs have open than belongs there");
}

/// Threads beside the first one of each process: between whom, their registers, and what is left of their sleeps, in order.
struct ThreadsSection {
    Threads::Saved threads;
    std::vector<u32> registers;
    std::vector<std::optional<std::int64_t>> wakes_in;  ///< ns
    static void carry(auto &self, auto &archive) { archive(self.threads, self.registers, self.wakes_in); }
};

/// Where the registers of those threads are.
std::vector<Transfer> registers_of_threads(const StateParts &parts) {
    const Population &p = parts.population;
    std::vector<Transfer> transfers;
    for (u32 pe = p.config.nproc; pe < p.states.size(); pe++)
        for (u32 row = 0; p.threads->is_alive(pe) && row < state_rows(parts.image); row++)
            transfers.push_back({pe, row, 4, static_cast<u32>(4 * transfers.size()), true});
    return transfers;
}

Result<void> write_threads(std::ostream &out, const StateParts &parts) {
    Population &p = parts.population;
    ThreadsSection section{p.threads->saved(), {}, {}};
    const std::vector<Transfer> transfers = registers_of_threads(parts);
    section.registers.resize(transfers.size());
    if (!transfers.empty())
        MOG_TRY(parts.device.gather(transfers, {reinterpret_cast<u8 *>(section.registers.data()), 4 * transfers.size()}));
    for (const std::chrono::steady_clock::time_point wake : p.wakes) {
        section.wakes_in.emplace_back();
        if (wake != std::chrono::steady_clock::time_point{})
            section.wakes_in.back() = std::chrono::nanoseconds(wake - std::chrono::steady_clock::now()).count();
    }
    ArchiveWriter archive;
    archive(section);
    return put_section(out, Section::Threads, archive.bytes());
}

Result<void> read_threads(std::span<const u8> bytes, const StateParts &parts) {
    constexpr std::int64_t longest = 1'000'000'000'000'000'000;  // ns
    Population &p = parts.population;
    ThreadsSection section;
    ArchiveReader archive(bytes);
    archive(section);
    if (!archive.is_done() || section.wakes_in.size() != p.wakes.size() || !p.threads->restore(section.threads))
        return damaged("what threads do does not fit together");
    for (u32 pe = 0; pe < p.states.size(); pe++) {
        const bool rests = p.states[pe] == PeState::Free || p.states[pe] == PeState::Ended;
        if (p.queue && p.states[p.config.process_of(pe)] == PeState::Free) continue;  // it has not begun
        if (p.threads->is_alive(pe) == rests) return damaged("threads are not those of the processes");
    }
    for (const u32 process : p.all_running())
        if (p.threads->alive(process) == 0) return damaged("a process has no threads");
    const std::vector<Transfer> transfers = registers_of_threads(parts);
    if (section.registers.size() != transfers.size()) return damaged("registers are not those of the threads");
    for (std::size_t i = 0; i < transfers.size(); i++)
        if (transfers[i].address == MOG_S_PC && section.registers[i] >= parts.image.text.size())
            return damaged("a thread stands outside of the program");
    if (!transfers.empty())
        MOG_TRY(parts.device.scatter(transfers, {reinterpret_cast<const u8 *>(section.registers.data()), 4 * transfers.size()}));
    for (std::size_t i = 0; i < p.wakes.size(); i++) {
        const std::optional<std::int64_t> left = section.wakes_in[i];
        if (left && (*left > longest || *left < -longest)) return damaged("a thread sleeps too long");
        if (left) p.wakes[i] = std::chrono::steady_clock::now() + std::chrono::nanoseconds(*left);
    }
    return {};
}

std::vector<std::string> names_of(const NativeFunctions *natives) {
    std::vector<std::string> names;
    for (u32 i = 0; natives && i < natives->size(); i++) names.emplace_back(natives->name(i));
    return names;
}

Head head_of(const StateParts &parts) {
    const RunConfig &config = parts.population.config;
    Head head;
    head.program = program_hash(parts.image);
    head.nproc = config.nproc;
    head.threads = config.threads;
    head.data_bytes = config.data_bytes();
    head.registers = state_rows(parts.image);
    if (config.bridge) head.process = config.bridge->process();
    if (config.bridge) head.processes = config.bridge->processes();
    head.has_fuel = config.options.fuel != 0;
    head.natives = names_of(config.natives);
    return head;
}

Result<void> check_head(const Head &head, const StateParts &parts) {
    const Head own = head_of(parts);
    if (head.program != own.program || head.registers != own.registers) return Error{"the state is that of another program"};
    if (head.launch_version != own.launch_version) return Error{"the state is that of another version of MOG"};
    if (head.processes != own.processes || head.process != own.process)
        return Error{fmt::format("the state is that of process {} of {}, and this is process {} of {}", head.process, head.processes,
                                 own.process, own.processes)};
    if (head.nproc != own.nproc) return Error{fmt::format("the state is that of {} PEs, and here are {}", head.nproc, own.nproc)};
    if (head.threads != own.threads)
        return Error{fmt::format("the state is that of processes with up to {} threads (--threads), and here they have {}", head.threads,
                                 own.threads)};
    if (head.data_bytes != own.data_bytes)
        return Error{
            fmt::format("the state is that of PEs with {} bytes of memory, and here they have {}", head.data_bytes, own.data_bytes)};
    if (head.has_fuel != own.has_fuel)
        return Error{head.has_fuel ? "the state is that of a run with --fuel" : "the state is that of a run without --fuel"};
    if (head.natives != own.natives) return Error{"the state is that of a run with other native functions"};
    return {};
}

}  // namespace

std::vector<MemoryExtent> memory_extents(u32 processes, u32 bytes, u32 at_once) {
    std::vector<MemoryExtent> all;
    const u32 group = std::max(1u, at_once / std::max(1u, bytes));
    for (u32 process = 0; process < processes; process += group)
        for (u32 offset = 0; offset < bytes; offset += std::min(at_once, bytes - offset))
            all.push_back({process, std::min(group, processes - process), offset, std::min(at_once, bytes - offset)});
    return all;
}

u32 state_rows(const Image &image) { return MOG_S_REGS + static_cast<u32>(image.register_names.size()); }

Result<void> check_run(const RunConfig &config, StateMemory memory) {
    const Options &options = config.options;
    if (config.bridge && memory == StateMemory::Within) return Error{"the state of a world of several processes cannot be written or read"};
    if (config.debugger) return Error{"the state of a run under gdb cannot be written or read"};
    if (config.sweep && memory == StateMemory::Within) return Error{"the state of a sweep cannot be written or read"};
    if (options.mpi.statistics != mpi::Settings::Statistics::None || !options.mpi.matrix.empty() || !options.mpi.trace.empty())
        return Error{"what --mpi-stats, --mpi-matrix and --mpi-trace have seen cannot be written or read with the state of a run"};
    if (config.window_bytes != 0 && memory == StateMemory::Within)
        return Error{"the state of processes that share memory cannot be written or read"};
    if (config.threads > 1 && options.schedule) return Error{"the turns of --schedule cannot be written or read with the state of a run"};
    if (!options.profile.empty()) return Error{"what --profile has counted cannot be written or read with the state of a run"};
    if (!options.profile_report.empty()) return Error{"what --profile-report has seen cannot be written or read with the state of a run"};
    if (config.memory) return Error{"what --check=memory knows cannot be written or read with the state of a run"};
    if (config.races) return Error{"what --check-races knows cannot be written or read with the state of a run"};
    return {};
}

Result<void> write_state(std::ostream &out, const StateParts &parts, StateMemory memory_is) {
    Population &population = parts.population;
    MOG_TRY(check_run(population.config, memory_is));
    population.output.flush();
    if (population.mpi) MOG_TRY(population.mpi->settle());
    // Calls that were served while PEs ran wait in any order.
    std::ranges::sort(population.waiting, {}, [](const Request &q) { return q[MOG_Q_PE]; });
    Head head = head_of(parts);
    head.has_mpi = population.mpi != nullptr;
    head.memory_is_apart = memory_is == StateMemory::Apart;
    ArchiveWriter archive;
    archive(version, head);
    MOG_TRY(put(out, {reinterpret_cast<const u8 *>(magic.data()), magic.size()}));
    MOG_TRY(put_section(out, Section::Head, archive.bytes()));
    MOG_TRY(write_pes(out, parts));
    if (population.threads) MOG_TRY(write_threads(out, parts));
    if (population.queue) {
        ArchiveWriter runs;
        RunQueue::carry(*population.queue, runs);
        MOG_TRY(put_section(out, Section::Runs, runs.bytes()));
    }
    if (population.mpi) {
        ArchiveWriter engine;
        mpi::Engine::carry(*population.mpi, engine);
        MpiPort::carry(parts.mpi, engine);
        MOG_TRY(put_section(out, Section::Mpi, engine.bytes()));
    }
    MemoryWriter memory(out, parts);
    if (!head.memory_is_apart)
        for (const MemoryExtent &extent : memory_extents(head.nproc, head.data_bytes, at_once)) MOG_TRY(memory.write(extent));
    MOG_TRY(put_section(out, Section::End, {}));
    out.flush();
    return out ? Result<void>() : Error{"the state cannot be written: the stream takes no more"};
}

namespace {

Result<std::vector<u8>> get_section(std::istream &in, Section wanted) {
    Result<ReadSection> section = get_section(in);
    if (!section) return section.error();
    if (section->name != wanted) return damaged("its parts are not in their order");
    return std::move(section->bytes);
}

Result<Head> read_head(std::istream &in, const StateParts &parts, StateMemory memory_is) {
    MOG_TRY(check_run(parts.population.config, memory_is));
    std::vector<u8> name;
    if (!get(in, magic.size(), name) || !std::ranges::equal(name, magic)) return Error{"this is no state of a run of MOG"};
    const Result<std::vector<u8>> first = get_section(in, Section::Head);
    if (!first) return first.error();
    ArchiveReader archive(*first);
    u32 its_version = 0;
    archive(its_version);
    if (its_version != version) return Error{fmt::format("the state is of version {}, and this MOG reads {}", its_version, version)};
    Head head;
    archive(head);
    if (!archive.is_done()) return damaged("its head is not whole");
    MOG_TRY(check_head(head, parts));
    if (head.memory_is_apart != (memory_is == StateMemory::Apart)) return damaged("memory is not where it should be");
    return head;
}

}  // namespace

Result<void> check_state(std::istream &in, const StateParts &parts, StateMemory memory) {
    const Result<Head> head = read_head(in, parts, memory);
    return head ? Result<void>() : head.error();
}

Result<void> read_state(std::istream &in, const StateParts &parts, const std::function<Result<void>()> &make_mpi, StateMemory memory_is) {
    const Result<Head> read = read_head(in, parts, memory_is);
    if (!read) return read.error();
    const Head &head = *read;
    const auto next = [&](Section wanted) { return get_section(in, wanted); };
    const Result<std::vector<u8>> pes = next(Section::Pes);
    if (!pes) return pes.error();
    MOG_TRY(read_pes(*pes, parts));
    Population &population = parts.population;
    if (population.threads) {
        const Result<std::vector<u8>> bytes = next(Section::Threads);
        if (!bytes) return bytes.error();
        MOG_TRY(read_threads(*bytes, parts));
    }
    if (population.queue) {
        const Result<std::vector<u8>> bytes = next(Section::Runs);
        if (!bytes) return bytes.error();
        ArchiveReader runs(*bytes);
        RunQueue::carry(*population.queue, runs);
        if (!runs.is_done()) return damaged("the runs of a sweep do not fit together");
        const Result<bool> restored = population.queue->restore();
        if (!restored) return restored.error();
        if (!*restored) return damaged("the runs of a sweep do not fit together");
    }
    if (head.has_mpi) {
        const Result<std::vector<u8>> bytes = next(Section::Mpi);
        if (!bytes) return bytes.error();
        MOG_TRY(make_mpi());
        ArchiveReader engine(*bytes);
        mpi::Engine::carry(*population.mpi, engine);
        MpiPort::carry(parts.mpi, engine);
        const Result<bool> restored = population.mpi->restore();
        if (!restored) return restored.error();
        if (!engine.is_done() || !*restored || !parts.mpi.is_sound()) return damaged("what MPI has under way does not fit together");
    }
    // Whoever is parked waits for something that MPI or another thread will end.
    std::set<u32> waiting;
    for (u32 pe = 0; population.threads && pe < population.states.size(); pe++)
        if (population.threads->waits(pe).address != 0) waiting.insert(pe);
    if (population.mpi)
        for (const mpi::Blocked &stuck : population.mpi->blocked()) waiting.insert(parts.mpi.thread_of(stuck.pe));
    for (const Request &call : parts.mpi.held()) waiting.insert(call[MOG_Q_PE]);
    for (u32 pe = 0; pe < population.states.size(); pe++)
        if (population.states[pe] != PeState::Ended && (population.states[pe] == PeState::Parked) != waiting.contains(pe))
            return damaged(fmt::format("PE {} {}", pe, waiting.contains(pe) ? "waits for others and is not said to" : "waits for nothing"));
    for (const MemoryExtent &extent :
         head.memory_is_apart ? std::vector<MemoryExtent>() : memory_extents(head.nproc, head.data_bytes, at_once)) {
        const Result<std::vector<u8>> bytes = next(Section::Memory);
        if (!bytes) return bytes.error();
        MOG_TRY(read_memory(*bytes, extent, parts));
    }
    const Result<std::vector<u8>> end = next(Section::End);
    if (!end) return end.error();
    parts.scheduler.start_anew();
    return {};
}

}  // namespace mog
