// cuda_launches.hpp: launches of mog_run whose PEs are served one by one while others run. A record comes to the host's memory as
// soon as its PE stops; results of calls go along with the list of the PE's next launch.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/cuda/cuda_session.hpp"

namespace mog {

/// Results of calls on their way to PEs.
class WaitingAnswers {
public:
    void reset(std::uint32_t nproc);
    void put(std::span<const Answer> answers);
    /// An element of ACTIVE, with what waits for the PE.
    void write(std::uint32_t *element, std::uint32_t pe);
    /// All that wait, which then wait no more.
    std::vector<Answer> take();

private:
    std::vector<std::uint32_t> flags_, values_;  ///< by PE
    std::uint32_t count_ = 0;
};

class CudaLaunches final : public ConcurrentLaunches {
public:
    /// What a launch works with.
    struct Buffers {
        CuPointer requests = 0, nrequests = 0, active = 0;
        CuStream stream = nullptr;
    };
    using Launch = std::function<Result<void>(const Buffers &buffers, std::uint32_t passes, std::uint32_t count)>;

    /// Told of the time for which some launch was under way, launch by launch.
    using Ran = std::function<void(double seconds)>;

    /// `launch` begins mog_run. All outlive this.
    CudaLaunches(CudaSession &session, WaitingAnswers &answers, std::uint32_t nproc, Launch launch, Ran ran);

    std::uint32_t most() const override { return static_cast<std::uint32_t>(slots_.size()); }
    Result<void> start(std::span<const std::uint32_t> pes, std::uint32_t passes) override;
    Result<void> take(News &news) override;
    Result<void> end_all() override;
    Result<void> end_smallest() override;
    bool some_run() const;

private:
    struct Slot {
        CudaStream stream;
        PinnedMemory list, records, head;  ///< head: what NREQUESTS begins with
        CudaMemory active, nrequests;
        Buffers buffers;
        std::vector<std::uint32_t> pes;  ///< none: it is free
        std::uint32_t seen = 0;          ///< records
        std::vector<bool> stopped;       ///< by PE. It may be in another launch, and have stopped there, before this one is over
        std::chrono::steady_clock::time_point start;
        bool early = false;
        std::uint32_t running() const { return static_cast<std::uint32_t>(pes.size()) - seen; }
    };
    Result<void> make(Slot &slot);
    Result<void> end(Slot &slot);
    /// False: there may be more.
    bool read_records(Slot &slot, News &news);
    void finish(Slot &slot, News &news);

    CudaSession &session_;
    WaitingAnswers &answers_;
    std::uint32_t nproc_;
    Launch launch_;
    Ran ran_;
    std::chrono::steady_clock::time_point told_;  ///< up to then, ran_
    std::array<Slot, 4> slots_;                   ///< the first is for the most PEs; others go before it where there is not room for all
    std::uint32_t last_ = 0;                      ///< launch's number
};

}  // namespace mog
