// mail.hpp: mailboxes, through which messages go from PE to PE within a launch (interp_templates/kernels/mailboxes.h), as the engine sees
// them between launches.
//
// A call that comes to the engine finds there what its PE, or the one that it sends to, has in its mailbox: that is taken over first, in
// its order, and so is what the senders of long messages in it, and the receivers of its own, have in theirs. As long as the engine has
// something of a PE, its mailbox is closed, and so no message overtakes another. A long message whose sender waits in its call is left out:
// the call is made again. Whoever waits for a message goes on doing so from launch to launch, without a call, while messages move. After a
// launch in which none has, and all that ran wait, those who wait call: so what is a deadlock becomes one here.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/mpi/pt2pt/messages.hpp"

namespace mog::mpi {

class Mail {
public:
    /// `mailboxes` of `device`; both outlive it. `rows`: where results of calls are.
    Mail(Mailboxes &mailboxes, Device &device, AnswerRows rows, Messages &messages, u32 nproc);

    // Errors are the device's.

    /// Before these calls are served.
    Result<void> collect(std::span<const Request> calls);
    /// After collect(): the PE's call is done already, and gives 0.
    bool is_done(u32 pe) const { return !done_.empty() && std::ranges::find(done_, pe) != done_.end(); }
    /// All that is in mailboxes comes to the engine, until PEs run on.
    Result<void> settle();
    /// After calls were served: who has something here has a mailbox that is closed, and who no longer has, an open one.
    Result<void> end_round();
    /// For somebody who wants to see all messages.
    Result<void> end();
    /// The engine has become another one by restore().
    Result<void> begin_anew();

    /// A launch is over. `is_quiet`: all that ran wait.
    Result<void> launched(bool is_quiet);

private:
    Result<void> collect_all();
    Result<void> empty(std::vector<u32> pes);
    void take_over(u32 pe, const u32 *words, std::vector<u32> &others);
    Result<void> complete(std::span<const u32> pes);
    Result<void> open_and_close(std::span<const u32> pes);
    Result<void> rest();

    Mailboxes &mailboxes_;
    Device &device_;
    AnswerRows rows_;
    Messages &messages_;
    std::vector<bool> is_closed_;  ///< what is in the PE's own memory
    std::vector<u32> concerned_;   ///< PEs, by the calls of the round
    std::vector<u32> callers_;     ///< of these, those that call; ascending
    std::vector<u32> done_;
    std::vector<u32> emptied_, tails_;  ///< PEs, and where their mailboxes are now
    std::vector<u32> unblocked_;        ///< whose calls are made again, or done
    std::vector<u32> taken_from_;       ///< whose long messages that were taken while they waited
    std::vector<bool> is_read_;
    bool has_ended_ = false, has_moved_ = false;
    // Where most of what goes to mailboxes is taken out of them here, it is faster not to use them for a while.
    u64 moved_ = 0, taken_ = 0;
    u32 resting_ = 0, next_rest_ = 64;  ///< launches
};

}  // namespace mog::mpi
