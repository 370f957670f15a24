// faults.hpp: what is told about PEs that a fault, a signal or a limit ended: one message for each distinct cause and
// place, however many PEs it hit, with the calls and registers of the first.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime_host/faults/live_registers.hpp"
#include "runtime_host/faults/stopped_pe.hpp"
#include "runtime_host/output/ranks.hpp"

namespace mog {

/// The status of a PE that a limit ended, as the command timeout gives.
inline constexpr int limit_status = 124;
/// Of a run that SIGINT ended, and of its PEs, as shells give it.
inline constexpr int interrupt_status = 130;
/// Of one that waited for a message that nobody would send.
inline constexpr int deadlock_status = 1;
/// Of a run whose PEs all ended with 0, but had races (--check-races): as ThreadSanitizer has it.
inline constexpr int races_status = 66;
/// Of one that had errors of --check=memory, and of no other kind.
inline constexpr int memory_status = 67;

/// Why a PE ended other than by its own exit.
struct Ending {
    enum class By : std::uint8_t { Fault, Signal, Fuel, Timeout, Deadlock, Abort, Interrupt } by = By::Fault;
    std::uint32_t stop = 0, info = 0;  ///< Fault: MOG_Q_STOP and MOG_Q_INFO
    std::uint32_t signal = 0;          ///< Signal: its number for the guest
    std::string text{};                ///< Deadlock: what it waits for; "{}" in it stands for the peer. Abort: why
    std::optional<std::int64_t> peer{};
    int status = 0;  ///< Deadlock, Abort: of the PE
};

/// The limits of a run, as messages name them, and what messages may show.
struct Limits {
    std::string memory_hint = "--mem SIZE";  ///< what to suggest when memory was too small
    std::uint64_t fuel = 0;
    double timeout = 0;
    bool show_source = true;
    bool show_registers = false;
    std::uint32_t first_rank = 0;              ///< messages count PEs from there on
    std::uint32_t processes = 0;               ///< that there are here, if a device's PEs are threads of them (RunConfig::pes); else 0
    bool keeps_causes = false;                 ///< for FaultLog::cause()
    std::string repeated_by{};                 ///< "--schedule=7", if that gives the same run again
    std::chrono::milliseconds patience{1000};  ///< how long causes wait for more PEs before they are told
};

/// Why and where a PE ended, for programs.
struct EndCause {
    std::string text{};         ///< "null pointer: reads from address 0x8, which is not its memory"
    SourcePlace place{};        ///< the innermost call with a line in its source; else the instruction's function
    std::uint32_t code = 0;     ///< MIPS address of the instruction that it stood at; 0: not known
    std::uint32_t address = 0;  ///< of a fault: what it wanted to get at; else 0

    static void carry(auto &self, auto &archive) {
        archive(self.text, self.place.function, self.place.file, self.place.line, self.code, self.address);
    }
};

/// The signal of MIPS Linux that an ending amounts to; 0 for a limit.
std::uint32_t signal_of(const Ending &ending);

class FaultLog {
public:
    /// `nproc`: of the world, which may be larger than what is here. `say` gets messages without a newline at the end; their first line is
    /// a sentence, others may follow.
    FaultLog(const Image &image, std::uint32_t nproc, Limits limits, std::function<void(std::string_view)> say);

    struct Recorded {
        int status = 0;           ///< of the PE
        bool is_first = false;    ///< it is the one to show for this cause at this place, so far
        std::uint32_t cause = 0;  ///< for cause(); 0 if causes are not kept
    };
    /// A PE ended. It is looked at during the call only.
    Recorded record(const Ending &ending, StoppedPe &pe);

    /// A PE's heap cannot grow by `bytes`; it goes on. `memory`: what it has in all.
    void lacks_memory(std::uint32_t pe, std::uint64_t bytes, std::uint64_t memory);

    /// True if its stack would help to say where a PE is.
    bool wants_stack(const StoppedPe &pe) const;

    /// Why a PE ended; many may share one. Stays where it is.
    const EndCause &cause(std::uint32_t number) const { return end_causes_[number]; }
    std::size_t causes() const { return end_causes_.size(); }

    /// Where a PE stands in the program: "in main at t.c:7"; empty if nothing is known.
    std::string place_of(StoppedPe &pe) const { return place({Ending::By::Deadlock, 0, 0, 0, {}, {}}, pe).text; }

    /// Tells about causes that were first seen a while ago and not told yet; the run goes on.
    void tell_early();
    /// Tells the rest: causes that were not told, and in a line for each that was, which PEs came later.
    void tell_all();

    /// What was recorded, and what of it was told (support/archive.hpp).
    static void carry(auto &self, auto &archive) {
        archive(self.causes_, self.memory_, self.lacked_memory_, self.end_causes_, self.end_cause_numbers_);
    }
    /// After it was read: causes wait for more PEs from now on. False: they cannot be of so many PEs.
    bool restore(std::uint32_t nproc);

private:
    using Clock = std::chrono::steady_clock;
    struct Cause {
        std::string sentence;          ///< what happened, with the first PE's address, and where
        std::string source;            ///< the source line
        std::string calls, registers;  ///< of the first PE
        std::uint32_t first = 0;
        std::vector<std::uint32_t> ranks;
        std::vector<std::uint32_t> peers;  ///< Deadlock: where the sentence has "{}"
        std::size_t told = 0;              ///< how many of the ranks were told of
        Clock::time_point first_seen;

        static void carry(auto &self, auto &archive) {
            archive(self.sentence, self.source, self.calls, self.registers, self.first, self.ranks, self.peers, self.told);
        }
        bool is_sound(std::uint32_t nproc) const;
    };
    struct Place {
        std::string text;    ///< "in strlen, called from main at t.c:7"
        std::string group;   ///< what endings by limits are gathered by: the functions without their lines
        SourcePlace source;  ///< the line to show
    };

    Place place(const Ending &ending, StoppedPe &pe) const;
    std::uint32_t keep(const Ending &ending, const Place &where, const StoppedPe &pe);
    std::string what(const Ending &ending, const StoppedPe &pe) const;
    std::uint32_t rank_of(const StoppedPe &pe) const {
        return limits_.first_rank + (limits_.processes != 0 ? pe.pe() % limits_.processes : pe.pe());
    }
    /// "thread 3: " of a PE that is no first one; else empty.
    std::string thread_of(const StoppedPe &pe) const;
    void add_details(Cause &cause, const Place &place, StoppedPe &pe, bool shows_registers);
    void tell(Cause &cause);

    const Image &image_;
    std::uint32_t nproc_;
    Limits limits_;
    std::function<void(std::string_view)> say_;
    std::map<std::tuple<Ending::By, std::uint32_t, std::uint32_t, std::string>, Cause> causes_;
    Cause memory_;                        ///< who could not have more of it, and goes on
    std::vector<bool> lacked_memory_;     ///< by PE
    std::vector<RegisterSet> live_;       ///< by TEXT index, once somebody asked
    std::deque<EndCause> end_causes_{1};  ///< the first one is of those that nothing is known of
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> end_cause_numbers_;  ///< by code address, text and line
};

}  // namespace mog
