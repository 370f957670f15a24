// turns_of_pes.hpp: turns of PEs that may wait for each other, as threads of a process do, within one launch on cores of the host.
//
// Those that are woken join the others, so that a process whose threads wait for each other goes on without the service loop. Whoever has
// cores takes turns with a Taker on each, and runs a PE for some passes when it is told to: the device "host" by its interpreter, PoCL by
// its kernel.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/host/native/native_turns.hpp"

namespace mog {

class TurnsOfPes {
public:
    using u32 = std::uint32_t;
    using Turn = NativeTurns::Turn;

    /// Passes of the longest turn: who spins without a word to anybody keeps others from running for a few milliseconds. A pass of a
    /// sequence of subinterpreters goes through all of it.
    static constexpr u32 longest_turn(bool is_sequence) { return is_sequence ? 1u << 14 : 1u << 20; }

    struct Settings {
        u32 passes = 0;                            ///< of a PE that is woken
        u32 turn_passes = 0;                       ///< longest_turn()
        u32 processes = 1;                         ///< PEs of one have the same number modulo this
        unsigned takers = 1;                       ///< cores
        bool in_order = false;                     ///< nothing depends on time, and turns are taken one by one
        NativeTurns *natives{};                    ///< for turns that need no interpreter; null: each does
        std::function<u32 *(u32 pe)> memory_of{};  ///< a PE's DATA, for natives
    };

    /// PEs that can run, with as many passes as each may have. `serve`, which may be empty, and `records` outlive it: what stops is put
    /// there, for which there is room for all PEs.
    TurnsOfPes(std::span<const u32> pes, std::span<const u32> own_passes, const Settings &settings, const Device::ServeAtOnce &serve,
               std::span<Request> records);
    ~TurnsOfPes();
    TurnsOfPes(const TurnsOfPes &) = delete;
    TurnsOfPes &operator=(const TurnsOfPes &) = delete;

    /// To be run: a PE, and for how many passes at most.
    struct Step {
        u32 pe, passes;
    };
    /// What a core does.
    class Taker;

    /// After all takers: PEs are in the state again. How many have stopped.
    std::size_t end();

private:
    class Queue;
    struct Taken;
    const Settings settings_;
    const Device::ServeAtOnce &serve_;
    std::span<Request> records_;
    std::atomic<std::size_t> stopped_ = 0;
    std::unique_ptr<Queue> queue_;
    std::mutex parking_;
    std::vector<u32> parked_;  ///< by natives, at some time
};

class TurnsOfPes::Taker {
public:
    explicit Taker(TurnsOfPes &turns);
    ~Taker();
    Taker(const Taker &) = delete;
    Taker &operator=(const Taker &) = delete;

    /// Nothing: the launch is over.
    std::optional<Step> next();
    /// How that went: the record of a PE that stopped; null: it has used all of its passes.
    void ran(const Request *stopped);

private:
    /// A turn that goes on.
    struct Current {
        Turn turn;
        u32 left, first_brief, brief, allowed = 0;
        bool is_brief = false, has_called = false;
    };
    u32 brief_passes() const;
    bool is_for_others() const;
    void begin(const Turn &turn);
    void end_turn(Device::Served served, bool was_long);
    bool run_natives();
    void give_back();

    TurnsOfPes &of_;
    std::unique_ptr<Taken> taken_;
    std::span<Turn> left_;  ///< of those that were taken
    std::optional<Current> current_;
    std::vector<u32> woken_, parked_;
    u32 calls_ = 0;
};

}  // namespace mog
