// replayer.cpp
#include "runtime_host/replay/replayer.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "abi/linux.hpp"
#include "assembler/image/spaces.hpp"
#include "runtime_host/device/addresses.hpp"
#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/syscalls.hpp"
#include "runtime_host/population/population.hpp"
#include "support/files/hash.hpp"

namespace mog {

namespace {

using u32 = std::uint32_t;

/// Ended from outside: by whom, as sentences say it. Empty: it ended itself.
std::string_view ended_by(EndedBy by) {
    switch (by) {
        case EndedBy::Fuel: return "--fuel";
        case EndedBy::Timeout: return "--timeout";
        case EndedBy::OthersFault: return "the fault of another one (--on-fault=abort)";
        case EndedBy::Cancel: return "an interrupt";
        case EndedBy::Deadlock: return "a deadlock";
        case EndedBy::Abort: return "MPI_Abort";
        case EndedBy::Not:
        case EndedBy::Exit:
        case EndedBy::Fault:
        case EndedBy::Signal: break;
    }
    return "";
}

/// The number of the call with this handler.
u32 number_of(Handler handler) {
    const std::span<const SyscallRow> rows = syscall_rows();
    return std::ranges::find(rows, handler, &SyscallRow::handler)->number;
}

Request call_of(Request request, Handler handler, u32 first, u32 second = 0) {
    request[MOG_Q_STOP] = MOG_STOP_SYS;
    request[MOG_Q_INFO] = 0;
    request[MOG_Q_NUMBER] = number_of(handler);
    request[MOG_Q_ARG] = first;
    request[MOG_Q_ARG + 1] = second;
    return request;
}

}  // namespace

Result<void> Replayer::load(const Image &image, const LoadConfig &config) {
    MOG_TRY(device_->load(image, config));
    image_ = &image;
    data_bytes_ = 4 * config.data_words;
    read_only_ = unwritable_of(image);
    rows_ = MOG_S_REGS + static_cast<u32>(image.register_names.size());
    answer_rows_ = {MOG_S_REGS + image.roles[static_cast<std::size_t>(Role::v0)],
                    MOG_S_REGS + image.roles[static_cast<std::size_t>(Role::a3)]};
    processes_ = config.processes();
    chosen_ = recording_->head().has_one_order() ? recording_->pe() : 0;
    members_.resize(config.nproc);
    has_ended_.resize(processes_);
    last_.resize(processes_);
    for (u32 pe = 0; pe < processes_; ++pe) {
        members_[pe].lives = true;
        last_[pe][MOG_Q_PE] = pe;
        static_assert(MOG_CB_IPROC == MOG_CB_NPROC + 1);
        const std::array<u32, 2> numbers = {recording_->head().world, recording_->rank() - chosen_ + pe};
        const Transfer transfer{pe, MOG_DATA_BASE + 4 * MOG_CB_NPROC, sizeof numbers, 0, false};
        MOG_TRY(device_->scatter({&transfer, 1}, {reinterpret_cast<const std::uint8_t *>(numbers.data()), sizeof numbers}));
    }
    return {};
}

// ---- what came from outside -------------------------------------------------------------------------------------------------

Result<void> Replayer::give(const RecordedEntry &entry, const Request *call) {
    const auto nonsense = [&] {
        return Error{fmt::format("the recording of PE {} is damaged: it puts what no PE has", recording_->rank())};
    };
    switch (entry.kind) {
        case RecordedKind::Answer:
        case RecordedKind::Failed: {
            const Answer answer{member_, entry.value, entry.kind == RecordedKind::Failed};
            return device_->answer({&answer, 1}, answer_rows_);
        }
        case RecordedKind::Memory: {
            if (!addresses().has(entry.place, entry.bytes.size())) return nonsense();
            const Transfer transfer{member_, entry.place, static_cast<u32>(entry.bytes.size()), 0, false};
            return entry.bytes.empty() ? Result<void>() : device_->scatter({&transfer, 1}, entry.bytes);
        }
        case RecordedKind::State: {
            if (entry.place >= rows_) return nonsense();
            const Transfer transfer{member_, entry.place, sizeof entry.value, 0, true};
            return device_->scatter({&transfer, 1}, {reinterpret_cast<const std::uint8_t *>(&entry.value), sizeof entry.value});
        }
        case RecordedKind::Text:
            if (tells_of(member_))
                print_(chosen_, static_cast<int>(entry.value), {reinterpret_cast<const char *>(entry.bytes.data()), entry.bytes.size()});
            return {};
        case RecordedKind::Printed: return call ? print(entry, *call) : Result<void>(nonsense());
        default: return {};
    }
}

Result<void> Replayer::give(const Request *call, bool &is_answered) {
    for (;;) {
        const Result<const RecordedEntry *> next = recording_->next();
        if (!next) return next.error();
        const RecordedEntry *const entry = *next;
        if (!entry || entry->kind == RecordedKind::Call || entry->kind == RecordedKind::Fault || entry->kind == RecordedKind::Late ||
            entry->kind == RecordedKind::End)
            return {};
        if (entry->kind == RecordedKind::Answer || entry->kind == RecordedKind::Failed) is_answered = true;
        MOG_TRY(give(*entry, call));
        recording_->take();
    }
}

/// What write() and writev() print, the PE has in its memory: whether that is what it had then, the hash says.
Result<void> Replayer::print(const RecordedEntry &entry, const Request &call) {
    std::string text;
    const auto add = [&](u32 address, u32 length) -> Result<void> {
        length = std::min<u32>(length, entry.count - static_cast<u32>(text.size()));
        if (length == 0 || !addresses().has(address, length)) return {};
        std::vector<std::uint8_t> bytes(length);
        const Transfer transfer{member_, address, length, 0, false};
        MOG_TRY(device_->gather({&transfer, 1}, bytes));
        text.append(bytes.begin(), bytes.end());
        return {};
    };
    const SyscallRow *const row = find_syscall(call[MOG_Q_NUMBER]);
    if (row && row->handler == sys_writev) {
        for (u32 i = 0; i < std::min<u32>(call[MOG_Q_ARG + 2], guest::iovec_limit_MIPS) && text.size() < entry.count; ++i) {
            const u32 at = call[MOG_Q_ARG + 1] + i * u32{guest::iovec_bytes_MIPS};
            std::array<u32, 2> part{};
            if (!addresses().has(at, sizeof part)) break;
            const Transfer transfer{member_, at, sizeof part, 0, false};
            MOG_TRY(device_->gather({&transfer, 1}, {reinterpret_cast<std::uint8_t *>(part.data()), sizeof part}));
            MOG_TRY(add(part[0], part[1]));
        }
    } else {
        MOG_TRY(add(call[MOG_Q_ARG + 1], call[MOG_Q_ARG + 2]));
    }
    if (text.size() != entry.count || fnv1a(text) != entry.hash) return diverges(call, "the same call, which printed something else");
    if (tells_of(member_)) print_(chosen_, static_cast<int>(entry.value), text);
    return {};
}

Request Replayer::call_to_exit(const Request &request, u32 status) { return call_of(request, sys_exit_group, status); }

Addresses Replayer::addresses() const { return {data_bytes_, recording_->head().window_bytes, read_only_}; }

Result<void> Replayer::take_late() {
    const Result<const RecordedEntry *> next = recording_->next();
    if (!next) return next.error();
    if (!*next || (*next)->kind != RecordedKind::Late) return {};
    recording_->take();
    bool is_answered = false;
    return give(nullptr, is_answered);
}

// ---- runs ---------------------------------------------------------------------------------------------------------------------

Result<std::vector<Request>> Replayer::run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) {
    if (recording_->head().has_turns()) return run_turns(passes);
    if (!is_begun_) {
        is_begun_ = true;
        bool is_answered = true;
        MOG_TRY(give(nullptr, is_answered));
        const Result<const RecordedEntry *> next = recording_->next();
        if (!next) return next.error();
        if (*next && (*next)->kind == RecordedKind::End) {
            Result<std::optional<Request>> ended = serve_end(Request{}, **next, true);
            if (!ended) return ended.error();
            if (*ended) return std::vector{**ended};
        }
    }
    Result<std::vector<Request>> stopped = device_->run(active, passes, own_passes);
    if (!stopped) return stopped;
    std::vector<Request> out;
    for (const Request &request : *stopped) {
        if (request[MOG_Q_STOP] == MOG_STOP_YIELD) continue;
        Result<std::optional<Request>> served = serve(request);
        if (!served) return served.error();
        if (*served) out.push_back(**served);
    }
    return out;
}

Result<std::optional<Request>> Replayer::serve(const Request &request) {
    MOG_TRY(take_late());
    const Result<const RecordedEntry *> next = recording_->next();
    if (!next) return next.error();
    const RecordedEntry *entry = *next;
    const u32 rank = recording_->rank();
    if (goes_on_ || !entry) {
        say_(fmt::format("the recording of PE {} ends here{}", rank, goes_on_ || recording_->is_whole() ? "" : ": its run was killed"));
        return std::optional(call_of(request, sys_exit_group, unknown_status));
    }
    // It was ended while it computed: it cannot have come here.
    if (entry->kind == RecordedKind::End) return diverges(request, "nothing more");
    if (!is_same(request, *entry)) return diverges(request, words_of(*entry));
    recording_->take();
    bool is_answered = false;
    MOG_TRY(give(&request, is_answered));
    const Result<const RecordedEntry *> after = recording_->next();
    if (!after) return after.error();
    entry = *after;
    if (entry && entry->kind == RecordedKind::End) return serve_end(request, *entry, is_answered);
    if (entry || is_answered) return std::optional<Request>();
    say_(fmt::format("the recording of PE {} ends here{}: in {}{}", rank, recording_->is_whole() ? "" : ", where its run was killed",
                     words_of(request), place(request[MOG_Q_PC] - 1)));
    return std::optional(call_of(request, sys_exit_group, unknown_status));
}

/// What ended it by itself does so again; a signal, whoever it was that sent it.
Result<std::optional<Request>> Replayer::serve_end(const Request &request, const RecordedEntry &end, bool is_answered) {
    const auto by = static_cast<EndedBy>(end.value);
    // Not only exit() ends a PE so: writing to a pipe that nobody reads does, and here there is no pipe.
    if (by == EndedBy::Exit) return std::optional(call_of(request, sys_exit_group, end.count));
    if (by == EndedBy::Fault) return std::optional(request);
    if (by == EndedBy::Signal) return std::optional(call_of(request, sys_kill, 0, end.info));
    const std::string_view who = ended_by(by);
    if (who.empty()) return Error{fmt::format("the recording of PE {} is damaged: it has no such end", recording_->rank())};
    say_(fmt::format("PE {} was ended here by {}{}", recording_->rank(), who,
                     is_answered ? ", while it computed" : fmt::format(", in {}{}", words_of(request), place(request[MOG_Q_PC] - 1))));
    if (is_answered && is_debugged_ && !recording_->head().has_turns()) {
        goes_on_ = true;
        return std::optional<Request>();
    }
    return std::optional(call_of(request, sys_exit_group, end.count));
}

// ---- divergence ---------------------------------------------------------------------------------------------------------------

bool Replayer::is_same(const Request &request, const RecordedEntry &entry) const {
    const u32 stop = request[MOG_Q_STOP];
    if (entry.place != request[MOG_Q_PC]) return false;
    if (entry.kind == RecordedKind::Fault) return entry.value == stop;
    return stop == MOG_STOP_SYS && entry.value == request[MOG_Q_NUMBER] && entry.info == request[MOG_Q_INFO] &&
           std::equal(entry.argument.begin(), entry.argument.begin() + entry.arguments, request.begin() + MOG_Q_ARG);
}

std::string Replayer::place(u32 text_index) const {
    const u32 address = text_index < image_->source_address.size() ? image_->source_address[text_index] : 0;
    const SourcePlace place = find_source(*image_, address);
    std::string text = place.function.empty() ? fmt::format(" at {:#x}", address) : fmt::format(" in {}", place.function);
    if (!place.file.empty()) text += fmt::format(" at {}:{}", place.file, place.line);
    return text;
}

static std::string words_of_call(u32 number, std::span<const u32> arguments) {
    const SyscallRow *const row = find_syscall(number);
    std::string text = row ? std::string(row->name) : fmt::format("call {}", number);
    for (std::size_t i = 0; i < arguments.size(); ++i) text += fmt::format("{}{:#x}", i == 0 ? "(" : ", ", arguments[i]);
    return text + (arguments.empty() ? "" : ")");
}

static std::string words_of_stop(u32 stop) {
    switch (stop) {
#define MOG_STOP_WORDS(name, code, signal, sentence) \
    case code: return "a stop (" #name ")";
        MOG_STOPS(MOG_STOP_WORDS)
#undef MOG_STOP_WORDS
        default: return "a stop";
    }
}

std::string Replayer::words_of(const Request &request) const {
    if (request[MOG_Q_STOP] != MOG_STOP_SYS) return words_of_stop(request[MOG_Q_STOP]);
    const SyscallRow *const row = find_syscall(request[MOG_Q_NUMBER]);
    return words_of_call(request[MOG_Q_NUMBER], std::span(request).subspan(MOG_Q_ARG, row ? row->arguments.size() : 0));
}

std::string Replayer::words_of(const RecordedEntry &entry) const {
    if (entry.kind == RecordedKind::Fault) return words_of_stop(entry.value) + place(entry.place);
    return words_of_call(entry.value, std::span(entry.argument).first(entry.arguments)) + place(entry.place - 1);
}

Error Replayer::diverges(const Request &request, std::string_view recorded) const {
    const bool is_call = request[MOG_Q_STOP] == MOG_STOP_SYS;
    return Error{fmt::format("the replay of PE {} is not the run that was recorded: it comes to {}{}, and the recording has {}",
                             recording_->rank(), words_of(request), place(request[MOG_Q_PC] - (is_call ? 1 : 0)), recorded)};
}

}  // namespace mog
