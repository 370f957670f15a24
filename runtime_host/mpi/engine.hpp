// engine.hpp: MPI between PEs: takes the calls of a round, and says which PEs go on. A PE whose call is not done costs nothing until it is.
// What calls there are, and what they give, says abi/mpi_call.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime_host/mpi/base/budget.hpp"
#include "runtime_host/mpi/base/settings.hpp"
#include "runtime_host/mpi/coll/collectives.hpp"
#include "runtime_host/mpi/ending.hpp"
#include "runtime_host/mpi/io/files.hpp"
#include "runtime_host/mpi/marks.hpp"
#include "runtime_host/mpi/pt2pt/mail.hpp"
#include "runtime_host/mpi/pt2pt/observer.hpp"
#include "runtime_host/mpi/pt2pt/send_counts.hpp"
#include "runtime_host/mpi/rma/windows.hpp"

namespace mog::mpi {

class Engine {
public:
    /// `bridge`: to other processes with as many PEs each; null: there are none. `mailboxes`: of the device, for messages within launches;
    /// null: all come here.
    Engine(Device &device, u32 nproc, const Addresses &addresses, AnswerRows rows, const Settings &settings, Host host, Bridge *bridge,
           Mailboxes *mailboxes = nullptr);

    const World &world() const { return communicators_.world(); }
    /// Someone who looks on from now on, in each process, before any PE runs. What goes by mailboxes is not seen.
    void watch(std::unique_ptr<Observer> observer) {
        observers_.push_back(std::move(observer));
        watchers_++;
    }
    /// A launch is over. `is_quiet`: all that ran wait. Error: of the device.
    Result<void> launched(bool is_quiet) { return mail_ ? mail_->launched(is_quiet) : Result<void>(); }
    /// Before all that is under way is carried: nothing is in mailboxes any more, until PEs run on.
    Result<void> settle();
    /// The run is over, in all processes: what they saw and left behind comes together in the first one.
    Result<void> tell_end();

    /// Serves what PEs call, which are ascending and none twice. Those that go on, of these and of earlier rounds, are appended to
    /// `resumed`, in any order. Error: of the device.
    Result<void> serve(std::span<const Request> calls, std::vector<u32> &resumed);
    /// Takes what has come from other processes; PEs that go on because of it are appended. True: something has come.
    Result<bool> serve_others(std::vector<u32> &resumed);
    /// Something has to be done without anybody's asking.
    bool is_busy() const { return messages_.has_more_to_send(); }
    /// How all processes end; for runs with a bridge.
    WorldEnding &ending() { return *ending_; }
    /// And how they come to marks.
    Marks &marks() { return *marks_; }
    const Marks &marks() const { return *marks_; }
    /// PEs have ended, by whatever way.
    void ended(u32 pe);
    /// After ended(): PEs that go on because of it.
    Result<void> resume_others(std::vector<u32> &resumed);

    /// When nothing runs any more: PEs that wait in calls, and for what; `asking`, ascending, do so by asking again and again.
    std::vector<Blocked> blocked(std::span<const u32> asking = {}) const;

    /// MPI_Abort was called.
    struct Abort {
        u32 pe;
        int code;
        std::string why;  ///< may be empty
    };
    const std::optional<Abort> &aborted() const { return aborted_; }
    /// After tell_end(): what the program left behind, a sentence each.
    std::vector<std::string> leaks() const;

    /// All that is under way, between rounds, where nobody looks on (support/archive.hpp); of a world of several processes, at a mark.
    static void carry(auto &self, auto &archive) {
        bool counts_sent = self.send_counts_ != nullptr;
        archive(self.finalizing_, self.left_types_.count, self.left_types_.first, self.ended_, self.has_ended_, counts_sent, self.budget_,
                self.communicators_, self.messages_, self.collectives_, self.files_, self.windows_);
        if constexpr (std::remove_reference_t<decltype(archive)>::reads)
            if (counts_sent) self.count_sent();
        if (counts_sent) archive(*self.send_counts_);
        if (!self.bridge_) return;
        u32 serial = self.bridge_->last_serial();
        archive(*self.ending_, serial);
        if constexpr (std::remove_reference_t<decltype(archive)>::reads) self.bridge_->set_last_serial(serial);
    }
    /// After it was read into an engine that has served nothing. False: it does not fit together.
    Result<bool> restore();

private:
    void count_sent();
    Result<void> serve_round(std::span<const Request> calls, std::vector<u32> &resumed);
    Result<bool> take_others(std::vector<u32> &resumed);
    Result<void> flush(std::vector<u32> &resumed);
    std::size_t plan_lists(std::span<const Request> calls);
    Result<void> serve_one(const MpiCall &call);
    Result<void> wait(const MpiCall &call);
    /// When the run is over, what is under way stays undone: that is no failure.
    Result<void> unless_over(Result<void> done) const { return !done && delivery_.was_over() ? Result<void>() : done; }
    void free_communicator(u32 context, u32 me);
    void process_left(u32 context);
    void take_left(const GlobalContext &id);
    Result<void> members(const MpiCall &call);
    Result<void> tell_members();
    Result<void> combine(const MpiCall &call);
    void variable(const MpiCall &call);
    void abort(const MpiCall &call);
    void release_finalized();
    Result<void> take(u32 process, Frame kind, FrameReader frame);
    std::vector<Leak> own_leftovers() const;
    void send_reports();
    Result<void> collect_reports();
    void take_report(FrameReader frame);
    Result<void> advance();

    u32 nproc_;
    bool checks_;
    Bridge *bridge_;
    std::optional<WorldEnding> ending_;
    std::optional<Marks> marks_;
    Host host_;
    const Limits limits_;
    Observers observers_;
    SendCounts *send_counts_ = nullptr;  ///< among them, once somebody has asked
    Delivery delivery_;
    Budget budget_;
    Communicators communicators_;
    Messages messages_;
    Collectives collectives_;
    Files files_;
    Windows windows_;
    std::optional<Mail> mail_;
    std::optional<Abort> aborted_;
    std::vector<u32> finalizing_;  ///< PEs in MPI_Finalize
    struct LeftTypes {
        u32 count = 0, first = 0;
    };
    LeftTypes left_types_;  ///< handles of types that PEs had when they finalized
    u32 ended_ = 0;
    u32 watchers_ = 0;  ///< the first of the observers: others have nothing to report
    u32 reports_ = 0;   ///< of other processes that have come
    std::vector<Leak> others_left_;
    std::vector<bool> has_ended_;
    // Of the round in progress.
    Staging lists_;              ///< that waits name: of the next calls,
    std::size_t next_list_ = 0;  ///< the first of them that has not been served
    std::vector<u8> listed_;
    // Members that are asked for: the same ones, which many may ask for.
    struct Asked {
        u32 context = MOG_MPI_NO_CONTEXT, first = 0, count = 0;
        std::vector<u32> ranks;
        std::vector<Transfer> by;
    };
    Asked members_;
};

}  // namespace mog::mpi
