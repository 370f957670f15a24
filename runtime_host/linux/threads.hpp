// threads.hpp: threads of the processes that PEs are: which PEs of a process are in use, who waits at which word of its memory (futex), and
// what of that memory is mapped.
//
// A process with several threads is as many PEs, which share their DATA (RunConfig::pes). Calls come here under the service loop's lock,
// one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime_host/device/addresses.hpp"

namespace mog {

class Threads {
public:
    using Clock = std::chrono::steady_clock;
    using u32 = std::uint32_t;

    /// `processes` with one thread each, PE p being process p's; up to `threads` of each. `addresses`: where each has memory. `advised`:
    /// how many a program had better start that asks for the number of processors.
    Threads(u32 processes, u32 threads, const Addresses &addresses, u32 advised);

    /// A PE that was given back is taken only when no other is free, so that its successor is not taken for it.
    void use_others_first() { uses_others_first_ = true; }

    u32 most() const { return threads_; }
    u32 advised() const { return advised_; }
    u32 process_of(u32 pe) const { return pe < processes_ ? pe : pe % processes_; }

    // ---- who there is

    /// A PE for a new thread of a process; none: all are in use.
    std::optional<u32> take(u32 process);
    /// None could be taken, again, and no thread of the process has ended in between: it is not that one of them is about to leave.
    bool is_short_of(u32 process) { return threads_ == 1 || was_full_[process] || (was_full_[process] = true, false); }
    /// A thread has ended, and waits for nothing; its PE may be taken again.
    void give_back(u32 pe);
    /// How many threads a process has.
    u32 alive(u32 process) const { return alive_[process]; }
    bool is_alive(u32 pe) const { return pe < in_use_.size() && in_use_[pe]; }
    /// A process has ended, with all of them.
    void end_process(u32 process);
    /// It begins anew, with one.
    void begin_process(u32 process);
    /// Its PEs that are in use, the first thread's first.
    std::vector<u32> of_process(u32 process) const;

    /// A thread begins with a stack that ends at `end`: what is below it in the same mapping is all that it has.
    void has_stack(u32 pe, u32 end);
    /// Where its stack begins; 0: it is the first one's, or the program has not mapped it by itself.
    u32 stack_of(u32 pe) const { return stacks_[pe].begin; }
    /// Its stack pointer, which is below its stack, is where another thread's stack is, or nothing that the program has mapped, above the
    /// heap, which ends at `brk`: it did not change to a stack that the program has made.
    bool has_left_stack(u32 pe, u32 sp, u32 brk) const;

    /// The word that is cleared when a thread ends, for whoever waits for its end; 0: none.
    u32 &cleared_at_end(u32 pe) { return cleared_at_end_[pe]; }

    // ---- words that threads wait at: the futexes of Linux

    struct Wait {
        u32 address = 0;  ///< 0: the PE does not wait
        u32 bits = 0;
        std::optional<Clock::time_point> until{};
    };
    /// A thread waits, behind those that do already.
    void wait(u32 pe, const Wait &wait);
    /// At most `count` of those that wait there for one of the bits go on, first come first: these.
    std::vector<u32> wake(u32 process, u32 address, u32 count, u32 bits);
    /// At most `count` of those that wait at one address wait at another one from now on; how many.
    u32 requeue(u32 process, u32 from, u32 to, u32 count);
    /// It no longer waits.
    void forget(u32 pe);
    const Wait &waits(u32 pe) const { return waits_[pe]; }
    bool anybody_waits() const { return waiting_ != 0; }
    /// Those whose time is over no longer wait: these.
    std::vector<u32> expired(Clock::time_point now);
    /// When the next one's is; none: nobody waits for a time.
    std::optional<Clock::time_point> next_expiry() const;

    // ---- memory (mmap)

    /// What a new mapping is: where, and how many bytes of it somebody may have used before, from its begin on.
    struct Mapping {
        u32 address = 0, bytes = 0;
        bool is_used = false;
    };
    /// Pages for a process whose heap ends at `brk`; none: there is no room.
    std::optional<Mapping> map(u32 process, u32 bytes, u32 brk);
    /// They are free again. False: these are no pages of DATA.
    bool unmap(u32 process, u32 address, u32 bytes);
    /// The lowest address that is mapped, above which the heap must not grow; 0: none is.
    u32 floor(u32 process) const;
    /// The lowest that it has been; 0: nothing was ever mapped.
    u32 lowest_ever(u32 process) const;
    /// Where what is mapped ends, of so many bytes of DATA: above is the stack of the first thread.
    static u32 top_of_mappings(u32 data_bytes);

    static constexpr u32 page_bytes = 4096;

    // ---- as it can be written down (population_state.hpp)

    struct Saved {
        struct Thread {
            u32 pe = 0, cleared_at_end = 0, stack_begin = 0, stack_end = 0;
            static void carry(auto &self, auto &archive) { archive(self.pe, self.cleared_at_end, self.stack_begin, self.stack_end); }
        };
        struct Waiting {
            u32 pe = 0, address = 0, bits = 0;
            std::optional<std::int64_t> left{};  ///< ns
            static void carry(auto &self, auto &archive) { archive(self.pe, self.address, self.bits, self.left); }
        };
        struct Mappings {
            u32 process = 0, lowest = 0;
            std::map<u32, u32> mapped{};
            static void carry(auto &self, auto &archive) { archive(self.process, self.lowest, self.mapped); }
        };
        std::vector<Thread> threads;   ///< in use, ascending
        std::vector<Waiting> waiting;  ///< at each word in their order
        std::vector<u32> next;
        std::vector<Mappings> memory;

        static void carry(auto &self, auto &archive) { archive(self.threads, self.waiting, self.next, self.memory); }
    };
    Saved saved() const;
    /// Of as many processes and threads, before anything has run. False: it makes no sense, and this is of no use any more.
    bool restore(const Saved &saved);

private:
    u32 top() const { return top_of_mappings(addresses_.data_bytes); }
    /// Of a word that all processes see, that is no process's.
    std::uint64_t key(u32 process, u32 address) const {
        return std::uint64_t{addresses_.in_window(address, 1) ? UINT32_MAX : process} << 32 | address;
    }

    u32 processes_, threads_;
    Addresses addresses_;
    u32 advised_;
    bool uses_others_first_ = false;
    std::vector<bool> in_use_;  ///< by PE
    std::vector<u32> alive_;    ///< by process
    std::vector<bool> was_full_;
    std::vector<u32> next_;  ///< by process: the thread to look at first for a new one
    std::vector<u32> cleared_at_end_;
    struct Stack {
        u32 begin = 0, end = 0;
    };
    std::vector<Stack> stacks_;
    std::vector<Wait> waits_;
    u32 waiting_ = 0;
    /// Those that wait at a word are a ring, from the one that came first. Of several words with the same bucket, the rings' first ones are
    /// a list. So who waits and who is woken needs no memory and no search, however many they are.
    static constexpr u32 nobody = UINT32_MAX;
    struct Waiting {
        u32 next = 0, previous = 0;  ///< in the ring
        bool is_first = false;
        u32 next_ring = nobody;  ///< of a first one
    };
    std::uint64_t key_of(u32 pe) const { return key(process_of(pe), waits_[pe].address); }
    /// Where the ring of those with this key begins; nobody: there is none.
    u32 &first_with(std::uint64_t key);
    void append(u32 pe);
    void leave(u32 pe);
    std::vector<Waiting> rings_;  ///< by PE
    std::vector<u32> buckets_;    ///< as many as a power of two
    std::multimap<Clock::time_point, u32> expiries_;
    struct Memory {
        std::map<u32, u32> mapped;  ///< addresses and bytes, which do not overlap
        std::map<u32, u32> gaps;    ///< the same of what is free above the lowest of them
        u32 lowest = 0;             ///< that ever was; 0: none
    };
    static void add_gap(Memory &memory, u32 from, u32 to);
    std::unordered_map<u32, Memory> memory_;
};

}  // namespace mog
