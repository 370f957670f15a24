// thread_schedule.hpp: threads of processes in turns on one core, as a number says: who comes next and how many instructions a turn has.
// A number gives the same turns on every device that counts instructions, so that what went wrong once can be looked at again; other
// numbers give other turns. (Drawn turns as a way to find errors: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler
// with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010.)
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

class ThreadSchedule {
public:
    using u32 = std::uint32_t;

    using ToldOfTurn = std::function<void(u32 pe, u32 instructions)>;
    explicit ThreadSchedule(std::uint64_t seed, ToldOfTurn told = {}) : random_(seed), told_(std::move(told)) {}

    /// Runs a PE for at most so many instructions: true if it stopped, and `record` is why.
    using RunTurn = std::function<bool(u32 pe, u32 passes, Request &record)>;
    /// One launch (Device::run): turns until none of these threads and of those that they wake has passes left, or all rest or have
    /// stopped. Once one has stopped whose call is for the time after the launch, few turns follow. `stopped` gets the records of such.
    void run(std::span<const u32> pes, u32 passes, std::span<const u32> own_passes, const RunTurn &run_turn,
             const Device::ServeAtOnce &serve, std::vector<Request> &stopped);

private:
    struct Turn {
        u32 pe, left;
    };
    u32 below(u32 bound) { return static_cast<u32>(random_() % bound); }
    u32 turn_length(u32 longest_bits);
    void draw_favoured(std::span<const Turn> ready);

    std::mt19937_64 random_;
    std::optional<u32> favoured_;
    ToldOfTurn told_;
};

}  // namespace mog
