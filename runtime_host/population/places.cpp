// places.cpp
#include "runtime_host/population/places.hpp"

#include <fmt/format.h>

#include "runtime_host/races/race_checker.hpp"

namespace mog {

Result<std::vector<StoppedPe::Facts>> Places::where_they_stand(std::span<const std::uint32_t> pes) {
    const std::optional<std::uint32_t> fp = find_register(image_, "fp");
    const std::uint32_t rows[] = {MOG_S_PC, row_of(Role::sp), row_of(Role::ra), MOG_S_REGS + fp.value_or(0)};
    const std::uint32_t wanted = fp ? 4 : 3;
    std::vector<Transfer> transfers;
    for (std::uint32_t i = 0; i < pes.size(); i++)
        for (std::uint32_t k = 0; k < wanted; k++) transfers.push_back({pes[i], rows[k], 4, 4 * (wanted * i + k), true});
    std::vector<std::uint32_t> words(transfers.size());
    std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t *>(words.data()), 4 * words.size());
    if (!transfers.empty()) MOG_TRY(device_.gather(transfers, bytes));
    std::vector<StoppedPe::Facts> facts;
    for (std::size_t i = 0; i < pes.size(); i++) {
        const std::uint32_t *const own = words.data() + wanted * i;
        const PeState state = population_.states[pes[i]];
        const bool waits = state == PeState::Waits || state == PeState::Calls || state == PeState::Parked;
        facts.push_back({pes[i], waits && own[0] != 0 ? own[0] - 1 : own[0], own[1], own[2], fp ? own[3] : 0, 0});
    }
    return facts;
}

std::string Places::place_of(std::uint32_t pe) {
    const Result<std::vector<StoppedPe::Facts>> facts = where_they_stand({&pe, 1});
    if (!facts) return {};
    StoppedPe stopped(device_, image_, population_.config.data_bytes(), facts->front());
    return population_.faults.place_of(stopped);
}

Result<std::string> Places::lock_of(std::uint32_t pe) {
    // The library has the number of the thread that holds a lock in its word: 1 for the first one, and a bit if somebody waits.
    constexpr std::uint32_t somebody_waits = 0x80000000u, first_thread = 1;
    const std::uint32_t address = population_.threads->waits(pe).address, process = population_.config.process_of(pe);
    std::uint32_t word = 0;
    const Transfer transfer{pe, address, sizeof word, 0, false};
    if (address == 0) return std::string();
    MOG_TRY(device_.gather({&transfer, 1}, {reinterpret_cast<std::uint8_t *>(&word), sizeof word}));
    if ((word & somebody_waits) == 0) return std::string();
    const std::uint32_t owner = word & ~somebody_waits;
    if (population_.config.addresses().in_window(address, sizeof word)) {
        // There an owner has a number that no other thread has, if the lock is one that PEs share.
        for (const std::uint32_t other : population_.all_running())
            for (const std::uint32_t thread : population_.threads_of(other))
                if (static_cast<std::uint32_t>(pid_of(population_.host_pid, thread)) == owner)
                    return fmt::format("a lock that PE {} has", population_.config.first_rank + other);
        return std::string("a lock that a PE has which is not known, or has ended");
    }
    for (const std::uint32_t other : population_.threads_of(process))
        if (static_cast<std::uint32_t>(pid_of(population_.host_pid, other)) == owner || (other == process && owner == first_thread))
            return fmt::format("the lock {}, which thread {} has", name_of_variable(image_, address), population_.config.thread_of(other));
    return std::string();
}

}  // namespace mog
