// mpi_port.hpp: PEs that call MPI come to the engine (mpi/engine.hpp) and leave it here; so does what comes from the other processes of
// their world, where there are some.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime_host/mpi/transport/short_waits.hpp"
#include "runtime_host/service/ends.hpp"
#include "runtime_host/service/run_clock.hpp"

namespace mog {

namespace mpi {
class Statistics;
}

/// A device whose PEs are ranks. Of processes with several threads, it is the one that called last which gets the answer.
class DeviceOfRanks final : public Device {
public:
    DeviceOfRanks(Device &device, std::vector<std::uint32_t> callers) : device_(device), callers_(std::move(callers)) {}

    static void carry(auto &self, auto &archive) { archive(self.callers_); }
    bool is_sound(std::uint32_t ranks, std::uint32_t pes) const {
        for (std::uint32_t rank = 0; rank < callers_.size(); ++rank)
            if (callers_[rank] >= pes || callers_[rank] % ranks != rank) return false;
        return callers_.size() == ranks;
    }

    std::uint32_t caller(std::uint32_t rank) const { return callers_[rank]; }
    void calls(std::uint32_t rank, std::uint32_t pe) { callers_[rank] = pe; }

    const DeviceInfo &info() const override { return device_.info(); }
    std::uint64_t bytes_per_pe(const Image &image, std::uint32_t data_words) const override {
        return device_.bytes_per_pe(image, data_words);
    }
    Result<void> load(const Image &, const LoadConfig &) override { return not_here(); }
    Result<std::vector<Request>> run(std::span<const std::uint32_t>, std::uint32_t, std::span<const std::uint32_t>) override {
        return not_here();
    }
    Result<DeviceStats> stats() override { return not_here(); }
    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override {
        return device_.gather(of_callers(transfers), staging);
    }
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override {
        return device_.scatter(of_callers(transfers), staging);
    }
    Result<void> answer(std::span<const Answer> answers, AnswerRows rows) override;
    Result<void> copy(std::span<const Copy> copies) override { return device_.copy(copies); }  // of memory, which all threads share

private:
    static Error not_here() { return Error{"MPI does not run PEs"}; }
    std::span<const Transfer> of_callers(std::span<const Transfer> transfers);

    Device &device_;
    std::vector<std::uint32_t> callers_;  ///< by rank
    std::vector<Transfer> transfers_;
    std::vector<Answer> answers_;
};

class MpiPort {
public:
    /// All outlive it. The engine is Population::mpi.
    MpiPort(Device &device, const Image &image, Population &population, Scheduler &scheduler, Ends &ends, const RunClock &clock);

    // Errors are the device's, or of a file for the trace.

    /// Makes the engine: somebody has called MPI for the first time, or there are other processes.
    Result<void> start();
    /// A launch of so many PEs is over, of which these have stopped.
    Result<void> launched(std::span<const Request> stopped, std::size_t ran);
    /// The calls of a round, all at once. PEs whose calls are not done are parked. The list is empty afterwards.
    Result<void> serve(std::vector<Request> &calls);
    /// Of processes with several threads: whose calls are under way, and which are held back (support/archive.hpp).
    static void carry(auto &self, auto &archive) { archive(self.ranks_, self.is_calling_, self.held_); }
    bool is_sound() const;
    /// The thread that calls for a rank, and those that wait until they may.
    std::uint32_t thread_of(std::uint32_t rank) const { return caller_of(rank); }
    const std::vector<Request> &held() const { return held_; }

    /// After a round: PEs that had to wait for others to end, and MPI_Abort. True: the run is over.
    Result<bool> end_round();
    /// For some launches all that ran have asked whether something is done, and will do nothing else until it is.
    bool all_ask_on() const { return !asking_.empty() && asked_ >= enough_asked && held_.empty(); }
    /// Nothing runs, or all_ask_on(), and nothing can come: all that is left waits for each other, and ends.
    Result<void> end_deadlocked();
    /// With --mpi-stats or --mpi-matrix, once MPI was called; null otherwise.
    const mpi::Statistics *statistics() const { return statistics_; }

    // A world of several processes.

    /// What has come from the others. True: one of them has ended the run.
    Result<bool> meet_others();
    /// No PE can run before something comes. Transports have nothing to wait at, so this is a little sleep; PEs that wait for descriptors
    /// or the time have their own.
    void rest_until_others();
    /// All PEs here have ended: others may not, and want answers of this process. False: `pauses`, and they still may not have.
    Result<bool> wait_for_world(const std::function<bool()> &pauses);
    /// What has come from the others is served, and no PE runs, until `is_enough`. True: one of them has ended what was not over here.
    Result<bool> serve_only_others(const std::function<bool()> &is_enough);
    /// Something is to be done about a mark of all processes (mpi/marks.hpp).
    bool has_marks() const;

private:
    /// Who asks makes two calls until it does the same again: so often twice over.
    static constexpr unsigned enough_asked = 4;
    bool sends_within_launches() const;
    void resume_parked();
    std::uint32_t caller_of(std::uint32_t rank) const { return population_.threads ? ranks_.caller(rank) : rank; }
    bool takes_turn(Request &call);

    Device &device_;
    DeviceOfRanks ranks_;  ///< used where processes have several threads
    const Image &image_;
    Population &population_;
    Scheduler &scheduler_;
    Ends &ends_;
    const RunClock &clock_;
    const mpi::Statistics *statistics_ = nullptr;
    std::vector<std::uint32_t> asking_;   ///< PEs of the last launch, if all asked
    unsigned asked_ = 0;                  ///< such launches, one after the other
    double clock_offset_ = 0;             ///< seconds: what the clock of process 0 shows more
    ShortWaits rests_;                    ///< since something could run here, or came from elsewhere
    std::vector<std::uint32_t> resumed_;  ///< PEs whose MPI calls are done
    // Of processes with several threads the engine knows one call at a time:
    std::vector<bool> is_calling_;  ///< by rank
    std::vector<Request> held_;     ///< calls of others meanwhile, in the order in which they came
};

}  // namespace mog
