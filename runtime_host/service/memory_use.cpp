// memory_use.cpp
#include "runtime_host/service/memory_use.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace mog {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Of devices whose memory is not the host's, so many bytes are read at most: some tenths of a second.
constexpr u64 most_bytes_read = u64{1} << 30;
/// PEs that are looked at together.
constexpr std::size_t looked_at_once = 4096;
/// What the heap leaves free below the stack and below what is mapped: runtime_pe/system/memory.c, runtime_host/linux/threads.cpp.
constexpr u32 between = 4096;

/// Of what each PE has used: the most, whose it is, and the median.
MemoryUse::Part part_of(const std::vector<std::optional<PeMemoryUse>> &uses, u32 first_rank, auto value_of) {
    MemoryUse::Part part;
    std::vector<u32> values;
    for (std::size_t process = 0; process < uses.size(); ++process) {
        if (!uses[process]) continue;
        const u32 value = value_of(*uses[process]);
        if (values.empty() || value > part.most) {
            part.most = value;
            part.rank = first_rank + static_cast<u32>(process);
        }
        values.push_back(value);
    }
    if (values.empty()) return part;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    part.median = *middle;
    return part;
}

}  // namespace

void MemoryGauge::ends(u32 process, bool is_last_look) {
    if (population_.threads) {
        lowest_mapped_.resize(population_.config.nproc);
        lowest_mapped_[process] = population_.threads->lowest_ever(process);
    }
    if (!is_last_look || !failure_) return;
    failure_ = look({&process, 1});
}

Result<void> MemoryGauge::look(std::span<const u32> processes) {
    const u32 end = MOG_DATA_BASE + population_.config.data_bytes();
    uses_.resize(population_.config.nproc);
    constexpr u32 words = MOG_CB_WORDS;
    std::vector<u32> blocks(words * processes.size());
    std::vector<Transfer> transfers;
    for (std::size_t i = 0; i < processes.size(); ++i)
        transfers.push_back({processes[i], MOG_DATA_BASE, 4 * words, static_cast<u32>(4 * words * i), false});
    MOG_TRY(device_.gather(transfers, {reinterpret_cast<std::uint8_t *>(blocks.data()), 4 * blocks.size()}));
    std::vector<Device::Range> ranges;
    std::vector<PeMemoryUse> uses;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        const u32 *const block = &blocks[words * i];
        const u32 brk = std::max(block[MOG_CB_BRK], block[MOG_CB_BRK_MOST]);
        // One that ended before the run was written down has no memory here any more; what a program has written there may be anything.
        if (brk < image_.brk || brk > end) continue;
        PeMemoryUse use;
        use.heap = brk - image_.brk;
        u32 begin = (brk + 3) & ~3u;
        if (const u32 lowest = lowest_mapped_.empty() ? 0 : lowest_mapped_[processes[i]]; lowest != 0) {
            const u32 top = Threads::top_of_mappings(population_.config.data_bytes());
            use.mapped = top - std::min(top, lowest);
            begin = std::max(begin, top);
        }
        ranges.push_back({processes[i], std::min(begin, end), end});
        uses.push_back(use);
    }
    std::vector<u32> first(ranges.size());
    MOG_TRY(device_.find_not_zero(ranges, first));
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        uses[i].stack = end - first[i];
        uses_[ranges[i].pe] = uses[i];
    }
    return {};
}

u32 MemoryGauge::enough_for(const PeMemoryUse &use, u32 variables) {
    const u64 stack = use.stack + use.stack / 8 + 1024, heap = u64{variables} + use.heap;
    const auto would_do = [&](u64 bytes) {
        if (use.mapped == 0) return heap + between + stack <= bytes;
        const u64 top = Threads::top_of_mappings(static_cast<u32>(bytes)) - MOG_DATA_BASE;
        return heap + between + use.mapped <= top && stack <= bytes - top;
    };
    u64 bytes = 4096;
    while (bytes < (u64{1} << 31) && !would_do(bytes)) bytes += std::max<u64>(1024, std::bit_floor(bytes) / 8);
    return static_cast<u32>(std::min<u64>(bytes, UINT32_MAX));
}

Result<MemoryUse> MemoryGauge::read() {
    const RunConfig &config = population_.config;
    if (!failure_) return failure_.error();
    if (!config.slots && uses_.empty()) {
        const u64 all = u64{config.nproc} * config.data_bytes();
        const u32 step = device_.memory_is_ours() ? 1 : static_cast<u32>(std::max<u64>(1, (all + most_bytes_read - 1) / most_bytes_read));
        std::vector<u32> processes;
        for (u32 process = 0; process < config.nproc; process += step) {
            processes.push_back(process);
            if (processes.size() < looked_at_once) continue;
            MOG_TRY(look(processes));
            processes.clear();
        }
        MOG_TRY(look(processes));
    }
    MemoryUse use;
    use.variables = image_.brk - MOG_DATA_BASE;
    use.constants = static_cast<u32>(image_.products.bytes(ProductKind::constants).size());
    use.pes = static_cast<u32>(std::ranges::count_if(uses_, [](const auto &one) { return one.has_value(); }));
    const u32 rank = config.first_rank;
    use.heap = part_of(uses_, rank, [](const PeMemoryUse &one) { return one.heap; });
    use.mapped = part_of(uses_, rank, [](const PeMemoryUse &one) { return one.mapped; });
    use.stack = part_of(uses_, rank, [](const PeMemoryUse &one) { return one.stack; });
    use.all = part_of(uses_, rank, [&](const PeMemoryUse &one) { return use.variables + one.heap + one.mapped + one.stack; });
    u32 enough = 0;
    for (const std::optional<PeMemoryUse> &one : uses_)
        if (one) enough = std::max(enough, enough_for(*one, use.variables));
    if (enough != 0 && enough < config.data_bytes()) use.enough = enough;
    return use;
}

}  // namespace mog
