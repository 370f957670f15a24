// mail.hpp: mailboxes, through which short messages go from PE to PE within a launch (interp_templates/kernels/mailboxes.h), as the engine
// sees them between launches.
//
// A call that comes to the engine finds there what its PE, or the one that it sends to, has in its mailbox: that is taken over first, in
// its order. As long as the engine has receives or messages of a PE, its mailbox is closed, and so no message overtakes another. Whoever
// waits for a message goes on doing so from launch to launch, without a call, while messages move. After a launch in which none has, and
// all that ran wait, those who wait call: so what is a deadlock becomes one here.
#pragma once

#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/mpi/pt2pt/messages.hpp"

namespace mog::mpi {

class Mail {
public:
    /// `mailboxes` of `device`; both outlive it.
    Mail(Mailboxes &mailboxes, Device &device, Messages &messages, u32 nproc);

    // Errors are the device's.

    /// Before these calls are served.
    Result<void> collect(std::span<const Request> calls);
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
    Result<void> empty(std::span<const u32> pes);
    void take_over(u32 pe, const u32 *words);
    Result<void> open_and_close(std::span<const u32> pes);
    Result<void> rest();

    Mailboxes &mailboxes_;
    Device &device_;
    Messages &messages_;
    std::vector<bool> is_closed_;  ///< what is in the PE's own memory
    std::vector<u32> concerned_;   ///< PEs, by the calls of the round
    std::vector<u32> emptied_;     ///< of these, and where their mailboxes are now:
    std::vector<u32> tails_;
    bool has_ended_ = false, has_moved_ = false;
    // Where most of what goes to mailboxes is taken out of them here, it is faster not to use them for a while.
    u64 moved_ = 0, taken_ = 0;
    u32 resting_ = 0, next_rest_ = 64;  ///< launches
};

}  // namespace mog::mpi
