// bridge.cpp
#include "runtime_host/mpi/transport/bridge.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "runtime_host/mpi/transport/launcher.hpp"
#include "runtime_host/mpi/transport/short_waits.hpp"

namespace mog::mpi {

namespace {

constexpr u32 bridge_version = 3;
constexpr std::size_t full_message = 1 << 20;

struct Head {
    Frame kind;
    u32 padding;
    u64 length;
};

/// The one that tells comes before launchers have ended it because of the others.
Error told_by_first(u32 process, std::string text) {
    if (process == 0) return Error{std::move(text)};
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return Error{};
}

}  // namespace

Error Bridge::lost(std::string_view what) const {
    return Error{fmt::format("process {} of {}: {}: {}: {}", process_, processes_, what, transport_.library, transport_.error())};
}

Result<std::unique_ptr<Bridge>> Bridge::open() {
    const std::optional<Launch> launch = find_launch();
    if (!launch) return std::unique_ptr<Bridge>();
    const Result<const mog_transport *> transport = join_launch(*launch);
    if (!transport) return told_by_first(launch->process, transport.error().text());
    return std::make_unique<Bridge>(**transport, launch->process, launch->processes);
}

void Bridge::close() {
    is_closed_ = true;
    transport_.close();
}

Error Bridge::leave(std::string text) {
    const Error error = told_by_first(process_, std::move(text));
    close();
    return error;
}

/// Of each process the first message that was not taken yet.
Result<std::vector<std::vector<u8>>> Bridge::exchange(std::span<const u8> bytes) {
    for (u32 other = 0; other < processes_; other++)
        if (other != process_) outgoing_[other].assign(bytes.begin(), bytes.end());
    MOG_TRY(flush());
    std::vector<std::vector<u8>> all(processes_);
    all[process_].assign(bytes.begin(), bytes.end());
    std::vector<bool> is_known(processes_);
    is_known[process_] = true;
    u32 known = 1;
    const auto take = [&](const Message &message) {
        if (is_known[message.process]) return false;
        all[message.process].assign(message.span().begin(), message.span().end());
        is_known[message.process] = true;
        known++;
        return true;
    };
    std::erase_if(early_, take);
    while (known < processes_) {
        Message message{0, {nullptr, std::free}, 0};
        const Result<bool> came = pull(message);
        if (!came) return came.error();
        if (!*came) std::this_thread::sleep_for(std::chrono::microseconds(200));
        else if (!take(message)) early_.push_back(std::move(message));
    }
    return all;
}

Result<void> Bridge::agree(u64 program, u32 nproc, u32 watchers) {
    const Hello own{program, bridge_version, nproc, watchers, 0};
    const Result<std::vector<std::vector<u8>>> said = exchange(head_bytes(own));
    if (!said) return said.error();
    std::vector<Hello> hellos;
    for (const std::vector<u8> &one : *said) hellos.push_back(FrameReader(one).take<Hello>());
    std::string wrong;
    for (u32 other = 1; other < processes_ && wrong.empty(); other++) {
        const Hello &first = hellos[0], &one = hellos[other];
        if (one.version != first.version) wrong = fmt::format("process {} is of another version of MOG than process 0", other);
        else if (one.program != first.program)
            wrong = fmt::format("process {} runs another program than process 0, or another compilation of it", other);
        else if (one.nproc != first.nproc)
            wrong = fmt::format("process {} has {} PEs, process 0 has {}; give all processes the same -n", other, one.nproc, first.nproc);
        else if (one.watchers != first.watchers)
            wrong =
                fmt::format("process {} has not the same of --mpi-stats, --mpi-matrix, --mpi-trace and --checkpoint as process 0", other);
    }
    if (wrong.empty() && u64{nproc} * processes_ > INT32_MAX)
        wrong = fmt::format("{} processes of {} PEs are too many ranks: MPI counts them with an int", processes_, nproc);
    if (wrong.empty()) return {};
    return leave(std::move(wrong));
}

namespace {

/// What time it is, by a clock of the run, whose beginning is told by the machine's; and which machine that is, since it was started:
/// empty, if it does not say. Of one machine all clocks are known exactly.
struct ClockFace {
    double seconds = 0, began = 0;
    std::array<char, 40> machine{};
};

std::array<char, 40> own_machine() {
    std::array<char, 40> name{};
    if (std::ifstream file("/proc/sys/kernel/random/boot_id"); file) file.read(name.data(), name.size() - 1);
    return name;
}

}  // namespace

/// Waits for a clock's frame, which comes alone; perhaps before all had agreed.
Result<std::vector<u8>> Bridge::next_clock() {
    std::optional<std::vector<u8>> said;
    const auto take = [&](const Message &message) {
        FrameReader reader(message.span());
        if (said || reader.take<Head>().kind != Frame::Clock) return false;
        asked_by_ = message.process;
        said.emplace(reader.rest().begin(), reader.rest().end());
        return true;
    };
    std::erase_if(early_, take);
    ShortWaits waits;
    while (!said) {
        Message message{0, {nullptr, std::free}, 0};
        const Result<bool> came = pull(message);
        if (!came) return came.error();
        if (!*came) waits.wait();
        else if (!take(message)) early_.push_back(std::move(message));
    }
    return *std::move(said);
}

/// The answer that came fastest was least on its way; on one machine there is one clock.
Result<double> Bridge::measure_clock(const std::function<double()> &seconds) {
    constexpr u32 trips = 50;
    const std::array<char, 40> machine = own_machine();
    const auto look = [&] {
        const double now = seconds(), all = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
        return ClockFace{now, all - now, machine};
    };
    double fastest = HUGE_VAL, offset = 0;
    // Whoever is interrupted between both looks has begun too late.
    double began = HUGE_VAL, they_began = HUGE_VAL;
    for (u32 i = 0; i < trips * (process_ == 0 ? processes_ - 1 : 1); i++) {
        const ClockFace begin = look();
        if (process_ != 0) {
            send(0, Frame::Clock, head_bytes(begin));
            MOG_TRY(flush());
        }
        const Result<std::vector<u8>> said = next_clock();
        if (!said) return said.error();
        const auto theirs = FrameReader(*said).take<ClockFace>();
        const ClockFace end = look();
        if (process_ == 0) {
            send(asked_by_, Frame::Clock, head_bytes(end));
            MOG_TRY(flush());
        } else if (theirs.machine == machine && machine[0] != 0) {
            began = std::min({began, begin.began, end.began});
            they_began = std::min(they_began, theirs.began);
            offset = began - they_began;
        } else if (end.seconds - begin.seconds < fastest) {
            fastest = end.seconds - begin.seconds;
            offset = theirs.seconds - (begin.seconds + end.seconds) / 2;
        }
    }
    return offset;
}

void Bridge::send(u32 process, Frame kind, std::span<const u8> head, std::span<const u8> body, std::span<const u8> more) {
    std::vector<u8> &out = outgoing_[process];
    const Head own{kind, 0, head.size() + body.size() + more.size()};
    for (const std::span<const u8> part : {head_bytes(own), head, body, more}) out.insert(out.end(), part.begin(), part.end());
    if (is_counted(kind)) sent_++;
    if (out.size() < full_message) return;
    if (Result<void> pushed = push(process); !pushed) failed_ = pushed;
}

void Bridge::send_all(Frame kind, std::span<const u8> head) {
    for (u32 other = 0; other < processes_; other++)
        if (other != process_) send(other, kind, head);
}

/// One message with what there is for a process. Long frames go alone.
Result<void> Bridge::push(u32 process) {
    std::vector<u8> &out = outgoing_[process];
    if (out.empty()) return {};
    void *const bytes = std::malloc(out.size());
    if (!bytes) return Error{fmt::format("process {}: no memory for {} bytes to process {}", process_, out.size(), process)};
    std::memcpy(bytes, out.data(), out.size());
    const bool is_sent = transport_.send(process, bytes, out.size()) == 0;
    // Room for a long one is not kept.
    if (out.capacity() > 2 * full_message) std::vector<u8>().swap(out);
    out.clear();
    return is_sent ? Result<void>() : lost(fmt::format("cannot send to process {}", process));
}

Result<void> Bridge::flush() {
    for (u32 other = 0; other < processes_; other++) MOG_TRY(push(other));
    return failed_;
}

Result<bool> Bridge::pull(Message &message) {
    unsigned process = 0;
    void *bytes = nullptr;
    std::size_t length = 0;
    const int came = transport_.receive(&process, &bytes, &length);
    if (came < 0) return lost("cannot receive");
    if (came > 0) message = {process, {bytes, std::free}, length};
    return came > 0;
}

Result<bool> Bridge::receive(const Take &take) {
    // Nobody gets so many that its own PEs starve.
    constexpr int most_messages = 1000;
    for (int i = 0; i < most_messages; i++) {
        Message message{0, {nullptr, std::free}, 0};
        if (!early_.empty()) {
            message = std::move(early_.front());
            early_.pop_front();
        } else {
            const Result<bool> came = pull(message);
            if (!came) return came.error();
            if (!*came) return i > 0;
        }
        for (FrameReader reader(message.span()); !reader.rest().empty();) {
            const Head head = reader.take<Head>();
            const FrameReader frame(reader.bytes(head.length));
            if (!reader.is_good()) return Error{fmt::format("process {}: process {} sent what is no frame", process_, message.process)};
            if (is_counted(head.kind)) received_++;
            MOG_TRY(take(message.process, head.kind, frame));
        }
    }
    return true;
}

}  // namespace mog::mpi
