// bridge.hpp: the other processes of this world. Frames to one of them are gathered, and go together at the end of a
// round.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime_host/mpi/transport/frames.hpp"
#include "runtime_host/mpi/transport/transport.h"

namespace mog::mpi {

class Bridge {
public:
    /// Null: this process is alone. Error: it is not, but cannot reach the others. That is told by the first of them
    /// only: others get an error without text, after a while, for launchers end all when one ends.
    static Result<std::unique_ptr<Bridge>> open();
    explicit Bridge(const mog_transport &transport, u32 process, u32 processes)
        : transport_(transport), process_(process), processes_(processes), outgoing_(processes) {}
    Bridge(const Bridge &) = delete;
    Bridge &operator=(const Bridge &) = delete;

    u32 process() const { return process_; }
    u32 processes() const { return processes_; }

    /// Each gives some bytes, and gets those of all, by process; all do so together, before anything but agree() and more of this.
    Result<std::vector<std::vector<u8>>> exchange(std::span<const u8> bytes);
    /// What all have found is told by the first of them: the error for this process, and the others are left.
    Error leave(std::string text);
    /// Before PEs run: all have the same program, known by its hash, and as many PEs each; and who looks on is the same everywhere
    /// (`watchers`, a bit for each). Error, for all: it is not so; as open().
    Result<void> agree(u64 program, u32 nproc, u32 watchers);
    /// What is to be added to `seconds()` here, so that it is the time of process 0. All processes measure it together, after agree().
    Result<double> measure_clock(const std::function<double()> &seconds);

    void send(u32 process, Frame kind, std::span<const u8> head, std::span<const u8> body = {}, std::span<const u8> more = {});
    /// To all others.
    void send_all(Frame kind, std::span<const u8> head = {});
    /// What was sent goes on its way. Error: of the transport, also of the last send().
    Result<void> flush();

    using Take = std::function<Result<void>(u32 process, Frame kind, FrameReader frame)>;
    /// Hands over the frames of all messages that have come: true if there were any.
    Result<bool> receive(const Take &take);

    /// Counted frames so far.
    u64 sent() const { return sent_; }
    u64 received() const { return received_; }
    /// Bytes that have not gone yet.
    std::size_t queued() const { return transport_.queued(); }

    /// A number that no other communicator led by this process has.
    u32 next_serial() { return ++serial_; }
    u32 last_serial() const { return serial_; }
    void set_last_serial(u32 serial) { serial_ = serial; }

    /// All is done, everywhere.
    void close();
    bool is_closed() const { return is_closed_; }
    /// Ends all processes, this one too, with this status.
    void abort(int status) { transport_.abort(status); }

private:
    struct Hello {
        u64 program;
        u32 version, nproc, watchers, padding;
    };
    struct Message {
        u32 process;
        std::unique_ptr<void, void (*)(void *)> bytes;
        std::size_t length;
        std::span<const u8> span() const { return {static_cast<const u8 *>(bytes.get()), length}; }
    };
    Result<void> push(u32 process);
    Result<bool> pull(Message &message);
    Result<std::vector<u8>> next_clock();
    Error lost(std::string_view what) const;

    const mog_transport &transport_;
    u32 process_, processes_, serial_ = 0;
    std::vector<std::vector<u8>> outgoing_;
    std::deque<Message> early_;  ///< messages that came before what they belong to
    u32 asked_by_ = 0;           ///< of the last clock's frame
    u64 sent_ = 0, received_ = 0;
    bool is_closed_ = false;
    Result<void> failed_;
};

}  // namespace mog::mpi
