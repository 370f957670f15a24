// memory_pages.cpp: see memory_pages.hpp.
#include "runtime_host/checkpoint/memory_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "interp_templates/launch_abi.h"
#include "runtime_host/checkpoint/block_hash.hpp"
#include "runtime_host/devices/slots/slotted_device.hpp"
#include "runtime_host/service/population_state.hpp"
#include "support/archive.hpp"
#include "support/parallel.hpp"

namespace mog {

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 page = KnownPages::page;
constexpr u32 at_once = 16u << 20;    ///< bytes of memory that a thread looks at
constexpr u32 pages_of_record = 256;  ///< as much as compresses well, and is soon on its way

/// A record of memory: which pages, then all of their bytes.
struct PageName {
    u32 process = 0, number = 0;
    static void carry(auto &self, auto &archive) { archive(self.process, self.number); }
};

bool is_zero(std::span<const u8> bytes) {
    u64 any = 0;
    std::size_t at = 0;
    for (; at + sizeof any <= bytes.size(); at += sizeof any) {
        u64 word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        any |= word;
    }
    for (; at < bytes.size(); ++at) any |= bytes[at];
    return any == 0;
}

/// The pages of one extent after the other that have changed.
class Collector {
public:
    Collector(const MemoryOfRun &run, KnownPages &known, const TakeRecord &take)
        : run_(run), known_(known), take_(take), changes_(run.device.changes()) {}

    Result<void> collect(const MemoryExtent &extent) {
        const SlottedDevice *const slots = run_.population.config.slots;
        std::vector<Transfer> transfers;
        u32 staged = 0;
        for (u32 i = 0; i < extent.processes; ++i) {
            const u32 process = extent.first + i;
            const bool is_window = process == KnownPages::window;
            if (slots && !is_window && !slots->has_slot(process)) continue;  // it has none: it has not begun, or has ended
            find_pages(extent, process);
            for (std::size_t at = 0; at < wanted_.size();) {
                const auto *const begin = static_cast<const u8 *>(std::memchr(&wanted_[at], 1, wanted_.size() - at));
                if (begin == nullptr) break;
                const std::size_t first = static_cast<std::size_t>(begin - wanted_.data());
                for (at = first; at < wanted_.size() && wanted_[at] != 0; ++at) continue;
                const u32 offset = static_cast<u32>(first) * page, bytes = std::min(static_cast<u32>(at) * page, extent.bytes) - offset;
                transfers.push_back({is_window ? 0 : process, (is_window ? MOG_SHARED_BASE : MOG_DATA_BASE) + extent.offset + offset, bytes,
                                     staged, false});
                staged += (bytes + 3) / 4 * 4;
            }
        }
        if (transfers.empty()) return {};
        const auto staging = std::make_unique_for_overwrite<u8[]>(staged);
        MOG_TRY(run_.device.gather(transfers, {staging.get(), staged}));
        const bool is_window = extent.first == KnownPages::window;
        for (const Transfer &t : transfers) {
            const u32 first = (t.address - (is_window ? MOG_SHARED_BASE : MOG_DATA_BASE)) / page;
            for (u32 at = 0; at < t.length; at += page)
                MOG_TRY(look(is_window ? KnownPages::window : t.pe, first + at / page,
                             {staging.get() + t.staging + at, std::min(page, t.length - at)}));
        }
        return flush();
    }

private:
    /// Those of an extent's pages that a process may have changed since it was loaded, or that are known to be changed: who begins anew
    /// has them again as they were.
    void find_pages(const MemoryExtent &extent, u32 process) {
        const u32 first = extent.offset / page;
        wanted_.assign((extent.bytes + page - 1) / page, !changes_ || process == KnownPages::window);
        if (!changes_ || process == KnownPages::window) return;
        for (u32 i = 0; i < wanted_.size(); ++i) wanted_[i] = known_.of(process, first + i) != 0;
        parts_.clear();
        changes_({process, MOG_DATA_BASE + extent.offset, MOG_DATA_BASE + extent.offset + extent.bytes}, parts_);
        for (const Device::Range &part : parts_) {
            const u32 begin = (part.begin - MOG_DATA_BASE) / page - first, end = (part.end - MOG_DATA_BASE + page - 1) / page - first;
            std::fill(wanted_.begin() + begin, wanted_.begin() + end, u8{1});
        }
    }

    Result<void> look(u32 process, u32 number, std::span<const u8> bytes) {
        constexpr u64 not_zero = 1;
        const u64 hash = is_as_loaded(process, number, bytes) ? 0 : block_hash(bytes) | not_zero;
        if (known_.of(process, number) == hash) return {};
        known_.set(process, number, hash);
        names_.push_back({process, number});
        pages_.push_back(bytes);
        return names_.size() == pages_of_record ? flush() : Result<void>();
    }

    /// As every PE of the program has it that has not run.
    bool is_as_loaded(u32 process, u32 number, std::span<const u8> bytes) const {
        const std::vector<u8> &data = run_.image.data;
        const std::size_t at = std::size_t{number} * page;
        if (process == KnownPages::window) return is_zero(bytes);
        if (number == 0) return false;  // each has its own number there
        // Those of a sweep that are loaded later have arguments above.
        const RunConfig &config = run_.population.config;
        if (config.sweep && at + page > config.data_bytes() - config.startup_bytes) return false;
        if (at >= data.size()) return is_zero(bytes);
        return at + bytes.size() <= data.size() && std::memcmp(bytes.data(), data.data() + at, bytes.size()) == 0;
    }

    Result<void> flush() {
        if (names_.empty()) return {};
        ArchiveWriter archive;
        archive(names_);
        std::vector<u8> record = archive.take();
        record.reserve(record.size() + pages_.size() * page);
        for (const std::span<const u8> bytes : pages_) {
            record.insert(record.end(), bytes.begin(), bytes.end());
            record.resize(record.size() + page - bytes.size());  // the last page of a memory may be shorter
        }
        names_.clear();
        pages_.clear();
        return take_(RecordType::Memory, std::move(record));
    }

    const MemoryOfRun &run_;
    KnownPages &known_;
    const TakeRecord &take_;
    const Device::Changes changes_;
    std::vector<Device::Range> parts_;
    std::vector<u8> wanted_;  ///< a byte for each page of an extent
    std::vector<PageName> names_;
    std::vector<std::span<const u8>> pages_;  ///< their bytes
};

/// Row by row, of some PEs: the same register of many compresses well.
struct RegistersHead {
    u32 first = 0, pes = 0;
    static void carry(auto &self, auto &archive) { archive(self.first, self.pes); }
};

constexpr u32 pes_of_record = 16384;

std::vector<Transfer> rows_of(const Image &image, const RegistersHead &head) {
    std::vector<Transfer> transfers;
    for (u32 row = 0; row < state_rows(image); ++row)
        for (u32 i = 0; i < head.pes; ++i) transfers.push_back({head.first + i, row, 4, static_cast<u32>(4 * transfers.size()), true});
    return transfers;
}

Result<void> collect_registers(const MemoryOfRun &run, const RegistersHead &head, const TakeRecord &take) {
    const std::vector<Transfer> transfers = rows_of(run.image, head);
    ArchiveWriter archive;
    archive(head);
    std::vector<u8> record = archive.take();
    const std::size_t begin = record.size();
    record.resize(begin + 4 * transfers.size());
    MOG_TRY(run.device.gather(transfers, std::span(record).subspan(begin)));
    return take(RecordType::Registers, std::move(record));
}

Error damaged(std::string_view what) { return Error{fmt::format("the checkpoint is damaged: {}", what)}; }

}  // namespace

// ---- pages that are known -----------------------------------------------------------------------------------------------------

Result<KnownPages> KnownPages::make(const RunConfig &config) {
    KnownPages known;
    known.pages_ = (config.data_bytes() + page - 1) / page;
    known.window_begins_ = known.pages_ * config.nproc;
    const std::size_t pages = known.window_begins_ + config.window_bytes / page;
    known.bytes_ = pages * sizeof(u64) + pages / group + 1;
    void *const hashes = mmap(nullptr, known.bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (hashes == MAP_FAILED) return Error{"the system has no memory for what --checkpoint remembers of pages"};
    known.hashes_ = static_cast<u64 *>(hashes);
    known.groups_ = reinterpret_cast<u8 *>(known.hashes_ + pages);
    return known;
}

KnownPages::KnownPages(KnownPages &&other) noexcept { *this = std::move(other); }

KnownPages &KnownPages::operator=(KnownPages &&other) noexcept {
    std::swap(hashes_, other.hashes_);
    std::swap(groups_, other.groups_);
    std::swap(pages_, other.pages_);
    std::swap(window_begins_, other.window_begins_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

KnownPages::~KnownPages() {
    if (hashes_) munmap(hashes_, bytes_);
}

void KnownPages::forget() { madvise(hashes_, bytes_, MADV_REMOVE); }

// ---- writing ------------------------------------------------------------------------------------------------------------------

Result<void> collect_window(const MemoryOfRun &run, KnownPages &known, const TakeRecord &take) {
    const u32 bytes = run.population.config.window_bytes;
    Collector collector(run, known, take);
    for (u32 offset = 0; offset < bytes; offset += std::min(at_once, bytes - offset))
        MOG_TRY(collector.collect({KnownPages::window, 1, offset, std::min(at_once, bytes - offset)}));
    return {};
}

Result<void> collect_memory(const MemoryOfRun &run, KnownPages &known, unsigned threads, const TakeRecord &take) {
    const RunConfig &config = run.population.config;
    std::vector<std::function<Result<void>()>> tasks;
    for (u32 first = 0; first < config.nproc; first += pes_of_record) {
        const RegistersHead head{first, std::min(pes_of_record, config.nproc - first)};
        tasks.emplace_back([&run, &take, head] { return collect_registers(run, head, take); });
    }
    for (const MemoryExtent &extent : memory_extents(config.nproc, config.data_bytes(), at_once))
        tasks.emplace_back([&run, &known, &take, extent] { return Collector(run, known, take).collect(extent); });
    std::mutex failing;
    std::optional<Error> failure;
    const auto work = [&](std::size_t i) {
        {
            const std::lock_guard lock(failing);
            if (failure) return;
        }
        if (Result<void> done = tasks[i](); !done) {
            const std::lock_guard lock(failing);
            if (!failure) failure = done.error();
        }
    };
    if (threads == 1)
        for (std::size_t i = 0; i < tasks.size(); ++i) work(i);
    else parallel_for(tasks.size(), threads, work);
    if (failure) return *failure;
    return {};
}

// ---- reading ------------------------------------------------------------------------------------------------------------------

Result<void> restore_registers(const MemoryOfRun &run, std::span<const u8> bytes) {
    const Population &population = run.population;
    RegistersHead head;
    ArchiveReader archive(bytes);
    archive(head);
    const u64 nproc = population.config.nproc;
    if (!archive.is_good() || head.first >= nproc || head.pes > nproc - head.first) return damaged("registers are not those of the PEs");
    const std::vector<Transfer> transfers = rows_of(run.image, head);
    const std::span<const u8> words = archive.bytes(4 * transfers.size());
    if (!archive.is_done()) return damaged("registers are not those of the PEs");
    for (const Transfer &transfer : transfers) {
        u32 value = 0;
        std::memcpy(&value, words.data() + transfer.staging, sizeof value);
        if (transfer.address == MOG_S_PC && value >= run.image.text.size() && population.states[transfer.pe] != PeState::Ended)
            return damaged("a PE stands outside of the program");
    }
    return run.device.scatter(transfers, words);
}

Result<void> restore_memory(const MemoryOfRun &run, std::span<const u8> bytes) {
    const RunConfig &config = run.population.config;
    std::vector<PageName> names;
    ArchiveReader archive(bytes);
    archive(names);
    const std::span<const u8> pages = archive.bytes(names.size() * page);
    if (!archive.is_done()) return damaged("a record has not the pages that it names");
    std::vector<Transfer> transfers;
    for (const PageName &name : names) {
        const u64 at = u64{name.number} * page;
        const bool is_window = name.process == KnownPages::window;
        const u32 bytes_there = is_window ? config.window_bytes : config.data_bytes();
        if ((!is_window && name.process >= config.nproc) || at >= bytes_there) return damaged("memory is not that of the PEs");
        transfers.push_back({is_window ? 0 : name.process, static_cast<u32>((is_window ? MOG_SHARED_BASE : MOG_DATA_BASE) + at),
                             static_cast<u32>(std::min<u64>(page, bytes_there - at)), static_cast<u32>(transfers.size() * page), false});
    }
    return transfers.empty() ? Result<void>() : run.device.scatter(transfers, pages);
}

}  // namespace mog
