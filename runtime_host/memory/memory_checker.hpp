// memory_checker.hpp: --check=memory. Of each PE's memory it knows which bytes belong to the program and which bits have a value
// (shadow.hpp), of the heap which blocks there are and were, with the calls that they come from.
//
// The allocator is the program's own: at the entry of malloc and its like a block is made larger, so that there is room around it that
// nobody may touch, and at the entry of free it is kept for a while instead. Functions of the C library that read memory by words, and so
// behind what they are asked for, are looked at as a whole when they begin.
//
// The memory of a process, its threads among them, is one thread of ours' affair at a time; what was found is everybody's, under a lock.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "assembler/image/image.hpp"
#include "runtime_host/memory/functions.hpp"
#include "runtime_host/memory/shadow.hpp"

namespace mog {

class MemoryChecker {
public:
    using u32 = std::uint32_t;

    /// Of PEs as RunConfig::pes counts them. The image outlives it.
    MemoryChecker(const Image &image, u32 processes, u32 pes, u32 data_bytes);
    ~MemoryChecker();
    MemoryChecker(const MemoryChecker &) = delete;
    MemoryChecker &operator=(const MemoryChecker &) = delete;

    /// The heap's functions have names in the program, without which it cannot be looked at.
    bool knows_heap() const { return knows_heap_; }

    // ---- the machine

    /// Of a PE that is to run; its memory and registers stay where they are.
    memory::Shadow &shadow_of(u32 pe, const u32 *data, u32 *registers);

    // ---- what is done for PEs; bytes that are not DATA's are passed over

    void is_written(u32 pe, u32 address, u32 bytes);
    /// A register by its number.
    void is_set(u32 pe, u32 number);
    void is_copied(u32 from_pe, u32 from, u32 to_pe, u32 to, u32 bytes);
    /// A system call that the PE stands in reads bytes, fills them, or takes an argument from a register.
    void call_reads(u32 pe, std::string_view call, u32 text_index, u32 address, u32 bytes);
    void call_fills(u32 pe, std::string_view call, u32 text_index, u32 address, u32 bytes);
    void call_takes(u32 pe, std::string_view call, u32 text_index, u32 argument, Role role);
    /// By its own exit, so that what it has left behind can be told.
    void ends_process(u32 process);

    // ---- what was found

    /// One error, however many PEs had it.
    struct Finding {
        std::string text;            ///< a sentence; lines with the calls behind it
        std::vector<u32> processes;  ///< ascending, each once, since it was asked last
        bool is_again = false;       ///< it was told before, of others
        SourcePlace place;           ///< the line to show
    };
    /// Those that were first seen a while ago, or all of them.
    std::vector<Finding> take(bool all);
    bool found_any() const { return found_any_; }

private:
    friend void memory::invalid_access(memory::Shadow &, u32, u32, u32, bool);
    friend void memory::overwrites_return(memory::Shadow &, u32, u32);
    friend void memory::undefined_address(memory::Shadow &, u32);
    friend void memory::undefined_condition(memory::Shadow &, u32);
    friend void memory::undefined_target(memory::Shadow &, u32);
    friend void memory::enters(memory::Shadow &, u32, u32 &);
    friend void memory::leaves(memory::Shadow &);

    using Clock = std::chrono::steady_clock;
    using Shadow = memory::Shadow;
    /// Calls, innermost first; MIPS addresses.
    using Calls = std::vector<u32>;

    /// What gave a block, and so what may take it back.
    enum class Family : std::uint8_t { malloc, new_object, new_array };
    struct Block {
        u32 bytes = 0, front = 0;  ///< asked for, and how much of what the allocator gave is before it
        Family family = Family::malloc;
        u32 allocated = 0, freed = 0;  ///< numbers of calls
    };
    struct Process {
        std::unique_ptr<u32[], void (*)(void *)> values{nullptr, nullptr};
        std::unique_ptr<std::uint8_t[], void (*)(void *)> bytes{nullptr, nullptr};
        const u32 *data = nullptr;
        std::map<u32, Block> live, freed;      ///< by address
        std::deque<std::pair<u32, u32>> kept;  ///< freed, and not given back yet: what the allocator knows them by, and their bytes
        std::uint64_t kept_bytes = 0;
        u32 heap_end = 0;  ///< up to where bytes of the heap are the allocator's
    };
    struct Found {
        std::string text;
        SourcePlace place;
        std::vector<u32> processes, told;
        Clock::time_point first_seen;
        bool was_told = false;
    };

    Process &process_of(u32 pe) { return processes_[pe % process_count_]; }
    void begin(Process &process, const u32 *data);
    Calls calls_at(const Shadow &s, u32 at) const;
    u32 number_of(Calls calls);
    std::string text_of(const Calls &calls) const;
    SourcePlace place_of(const Calls &calls) const;
    std::string where(const Calls &calls) const;
    std::string describe(const Process &process, u32 address, std::string &blocks) const;
    void find(u32 pe, const Calls &calls, Told what, std::string_view kind,
              const std::function<std::pair<std::string, std::string>()> &say);
    void allow(Process &process, u32 begin, u32 end);
    void forbid(Process &process, u32 begin, u32 end);

    // The heap.
    void enters(Shadow &s, u32 at, u32 &acc);
    void leaves(Shadow &s);
    void begins_free(Shadow &s, memory::Entered &entered, u32 at, u32 block, int argument, u32 &acc);
    void gives(Shadow &s, const memory::Entered &entered);
    void resizes(Shadow &s, const memory::Entered &entered);
    void takes_back(Process &process, u32 address, u32 freed);
    u32 find_address(u32 function) const;
    Calls calls_at_return(const Shadow &s, const memory::Entered &entered) const;
    void set_argument(Shadow &s, int n, u32 value, u32 &acc) const;
    u32 argument(const Shadow &s, int n) const;
    // Functions of the library on strings and bytes.
    void looks_at(Shadow &s, u32 at, int model);
    std::uint64_t reads(Shadow &s, u32 at, u32 address, std::uint64_t bytes, int until, bool decides);
    void writes(Shadow &s, u32 at, u32 address, std::uint64_t bytes);

    const Image &image_;
    u32 process_count_, data_bytes_;
    u32 kept_most_;
    bool knows_heap_ = false, knows_families_ = true, found_any_ = false;
    std::vector<std::uint8_t> marks_;            ///< memory::Mark, by TEXT index
    std::vector<u32> constants_;                 ///< by TEXT index
    std::unordered_map<u32, u32> functions_at_;  ///< numbers, by TEXT index
    std::vector<Process> processes_;
    std::vector<Shadow> shadows_;

    std::mutex mutex_;  ///< of all below
    std::vector<Calls> calls_;
    std::map<Calls, u32> call_numbers_;
    std::map<std::string, std::size_t> found_at_;
    std::deque<Found> found_;
};

}  // namespace mog
