// race_checker.hpp: accesses of two threads to the same memory that nothing orders, found by vector clocks as FastTrack has them: the last
// accesses to each word are kept as epochs, a thread's number with its clock. C. Flanagan, S. N. Freund, "FastTrack: Efficient and Precise
// Dynamic Race Detection", PLDI 2009.
//
// Threads are ordered by clone, by a thread's end with whoever sees its word cleared, by a wake with whoever it wakes, and by atomic
// accesses with fences, as C11 has it: a fence, then an atomic store; a load of what was stored, then a fence. On MIPS a fence is `sync`;
// an atomic store is one by `sc`, or the first one behind a `sync` in its basic block, for that is what compilers make of release stores;
// and an atomic load is any load, for nothing tells them apart. So one of the two accesses of a race is a plain store. Relaxed stores look
// like plain ones: of words that are stored to atomically at other times, none that is not by `sc` or behind a `sync` races with loads.
//
// Words of the window order threads, too, as those of channels do. Races on them are not looked for, so that each store there counts as an
// atomic one.
//
// One thread of ours at a time calls it, as threads of processes run in turns.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "assembler/image/image.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {

/// One of the two accesses of a race.
struct RaceAccess {
    std::uint32_t thread = 0;
    std::uint32_t text_index = 0;      ///< of the instruction
    std::uint32_t return_address = 0;  ///< what $ra was: of a function that calls no other, where it was called
    bool is_store = false, is_atomic = false;
};

/// Two accesses by different threads of a process, one a store and one of the two not atomic, that nothing orders.
struct Race {
    std::uint32_t process = 0;
    std::uint32_t address = 0, bytes = 0;  ///< of the later one
    RaceAccess earlier, later;             ///< in the order in which they were executed in this run
};

class RaceChecker {
public:
    using u32 = std::uint32_t;

    /// Of PEs as RunConfig::pes counts them. The image outlives it.
    RaceChecker(const Image &image, u32 processes, u32 data_bytes);

    // ---- what PEs do: `bytes` at an address of DATA or of the window, which do not leave the word, but for those of `load` and `store`.

    void load(u32 pe, u32 address, u32 bytes, u32 text_index, u32 return_address) {
        if (is_in_window(address)) return load_from_window(pe, address, bytes);
        access<false>(pe, address, bytes, text_index, return_address);
    }
    void store(u32 pe, u32 address, u32 bytes, u32 text_index, u32 return_address) {
        if (is_in_window(address)) return store_to_window(pe, address, bytes);
        access<true>(pe, address, bytes, text_index, return_address);
    }
    /// cas, amoadd and their like, which are fences too: a word was read, and perhaps changed in the same step.
    void in_one_step(u32 pe, u32 address, bool is_stored, u32 changed_bits, u32 text_index, u32 return_address);
    void fence(u32 pe);
    /// Its stack pointer goes from a place in its stack to one below.
    bool leaves_stack(u32 pe, u32 from, u32 to) { return to < thread_of(pe).stack && from >= thread_of(pe).stack; }

    // ---- what is done for them

    void starts(u32 parent, u32 child);
    void wakes(u32 pe, u32 woken);
    /// Where its stack begins; 0: nobody knows.
    void has_stack(u32 pe, u32 begin) { thread_of(pe).stack = begin; }
    /// A thread ends; the word at `cleared` is set to 0, if it is not 0.
    void ends(u32 pe, u32 cleared);
    void ends_process(u32 process);

    /// Races found since it was asked last, each pair of places once: of lines, or of functions where no lines are known.
    std::vector<Race> take_races();
    std::size_t races() const { return told_.size(); }

private:
    /// By thread of a process; those that are not there are 0.
    using Clock = std::vector<u32>;
    struct Thread {
        Clock now;       ///< what has happened before for it; of itself, its own clock
        Clock released;  ///< of that, before its last fence: what atomic stores tell
        Clock pending;   ///< what its loads since then have been told, and the next fence makes known
        u32 stack = 0;   ///< where that begins; 0: nobody knows
    };
    struct Event {
        u32 thread = 0, clock = 0;  ///< 0: none
        u32 text_index = 0, return_address = 0;
    };
    struct AtomicStore {
        Event event;
        u32 bytes = 0;  ///< a bit for each byte of the word
    };
    /// What few words have.
    struct More;
    struct Cell {
        Event store, load;  ///< plain stores, and loads; of several threads that have loaded since the last store the others are in `more`
        u32 more = 0;       ///< its number in Process::more; 0: none
    };
    struct More {
        std::vector<Event> loads;
        std::vector<AtomicStore> stores;  ///< the last one of each thread
        Clock told;                       ///< what the last atomic store told, and those by `sc` before it
        std::unique_ptr<std::array<Cell, 4>>
            cells;  ///< of the bytes, if the word was accessed in parts; then only they have loads and stores
    };
    /// Of accesses: `release`: an atomic store; `linked`: what `ll` loads, of which `sc` says what of it counts.
    /// `unordered`: a swap of the library's that orders nothing.
    enum class Form : std::uint8_t { plain, release, linked, unordered };
    static constexpr u32 page_words = 1024;
    using Page = std::array<Cell, page_words>;
    struct Process {
        std::vector<Thread> threads;
        std::vector<std::unique_ptr<Page>> pages;
        std::deque<More> more;
        std::unordered_map<u32, Clock> window;  ///< by the number of a word: what the last store told, and swaps since then
    };

    static bool precedes(const Event &event, const Clock &clock) {
        return event.clock == 0 || (event.thread < clock.size() && event.clock <= clock[event.thread]);
    }
    static void join(Clock &into, const Clock &other);

    bool is_in_window(u32 address) const { return address - MOG_DATA_BASE >= data_bytes_; }
    void load_from_window(u32 pe, u32 address, u32 bytes);
    void store_to_window(u32 pe, u32 address, u32 bytes);
    Process &process_of(u32 pe) { return processes_state_[pe % processes_]; }
    Thread &thread_of(u32 pe);
    Cell &cell_of(Process &process, u32 address);
    More &more_of(Process &process, Cell &cell);
    void split(Process &process, Cell &cell);
    void learn(u32 pe, const Process &process, const Cell &cell);
    template <bool is_store>
    void access(u32 pe, u32 address, u32 bytes, u32 text_index, u32 return_address);
    template <bool is_store>
    void access_word(u32 pe, u32 address, u32 bytes, const Event &event);
    template <bool is_store>
    void access_cell(u32 pe, Process &process, const Cell &word, Cell &cell, const Event &event, const RaceAccess &told, u32 address,
                     u32 bytes);
    void store_atomically(u32 pe, u32 address, u32 changed_bytes, bool is_swap, const Event &event);
    void found(u32 pe, const Event &earlier, bool earlier_stores, bool earlier_is_atomic, const RaceAccess &later, u32 address, u32 bytes);

    const Image &image_;
    u32 processes_, data_bytes_;
    std::vector<Form> forms_;  ///< by TEXT index
    std::vector<Process> processes_state_;
    std::set<std::pair<u32, u32>> pairs_;  ///< of TEXT indices
    std::set<std::string> told_;           ///< what identifies a race (race_key)
    std::vector<Race> races_;
};

/// Whether it is the program's: the library, which has no lines, reads some of its own words without their locks, and knows why. A function
/// that was called from a line of the program and calls no other, such as memcpy, does what that line says.
bool concerns_program(const Image &image, const Race &race);
/// The same for races that are one to the program's author: on the same variable, in the same two places.
std::string race_key(const Image &image, const Race &race);
/// "counter", "table+12", or "address 0x10001234" where no variable is known.
std::string name_of_variable(const Image &image, std::uint32_t address);
/// What is told of a race: "data race on counter: thread 2 stores 4 bytes in raise at t.c:7, thread 1 loads it in ..., and nothing orders
/// them".
std::string race_as_text(const Image &image, const Race &race);

}  // namespace mog
