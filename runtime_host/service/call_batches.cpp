// call_batches.cpp: one batch of system calls in three phases: fetch what all of them read, let the handlers work, put
// back what they answer.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/guest_names.hpp"
#include "runtime_host/linux/strace.hpp"
#include "runtime_host/memory/memory_checker.hpp"
#include "runtime_host/races/race_checker.hpp"
#include "runtime_host/service/run_queue.hpp"
#include "runtime_host/service/system_calls.hpp"

namespace mog {

namespace {

/// Position of the next argument whose letter is one of `letters`, from `from` on; npos if there is none.
std::size_t find_letter(const SyscallRow &row, std::string_view letters, std::size_t from = 0) {
    return row.arguments.find_first_of(letters, from);
}

constexpr std::uint32_t native_call_number = guest::call_mog_native_call;

std::uint32_t argument(const Request &request, std::size_t n) { return request[MOG_Q_ARG + n]; }

}  // namespace

bool SystemCalls::has_memory(std::uint32_t address, std::uint64_t length) const { return services_.addresses.has(address, length); }

/// At least how many bytes a call moves through staging memory, whatever it is: each letter that is fetched has its share, and so has what
/// it is given back. A batch of them stays within bounds by it.
std::uint64_t SystemCalls::cost_of(const Request &request) const {
    if (request[MOG_Q_STOP] != MOG_STOP_SYS) return 4 * 512;
    const SyscallRow *row = find_syscall(request[MOG_Q_NUMBER]);
    if (!row) return 16;
    std::uint64_t bytes = 16;
    for (std::size_t n = 0; n < row->arguments.size(); n++) switch (row->arguments[n]) {
            case 's': bytes += 128; break;
            // A vector's length is known only later; it cannot exceed what DATA holds, unless its parts overlap.
            case 'i':
            case 'j':
                bytes += std::uint64_t{population_.config.data_bytes()} + guest::iovec_limit_MIPS * (guest::iovec_bytes_MIPS + 4);
                break;
            case 'r':
            case 'w': bytes += std::min(argument(request, n + 1), population_.config.data_bytes()); break;
            case 'q':
                bytes += 2 * std::min<std::uint64_t>(std::uint64_t{argument(request, n + 1)} * guest::pollfd_bytes_MIPS,
                                                     population_.config.data_bytes());
                break;
            case 'p':
            case 't':
            case 'T':
            case 'a':
            case 'l':
            case 'k':
            case 'z':
            case 'y': bytes += 256; break;
            default: break;
        }
    return bytes;
}

/// Notes that `length` bytes at `address` are wanted. Returns where in gathered_ they will be. Whole words travel: they
/// go faster.
std::uint32_t SystemCalls::plan_fetch(std::uint32_t pe, std::uint32_t address, std::uint32_t length) {
    std::uint32_t before = address & 3u;
    // Batches are far below 4 GiB (cost_of), and one call alone is below it: it fetches at most what DATA holds.
    const auto at = static_cast<std::uint32_t>(planned_);
    const std::uint32_t size = (length + before + 3u) & ~3u;
    fetches_.push_back({pe, address - before, size, at, false});
    planned_ += size;
    return at + before;
}

Result<void> SystemCalls::fetch_inputs() {
    fetches_.clear();
    planned_ = 0;
    paths_.clear();
    for (Pending &p : batch_) {
        if (!p.row) continue;
        const Request &q = *p.request;
        const std::uint32_t pe = q[MOG_Q_PE];
        if (population_.config.memory) check_arguments(*p.row, q);
        for (std::size_t n = find_letter(*p.row, fetched_letters); n != std::string_view::npos;
             n = find_letter(*p.row, fetched_letters, n + 1)) {
            std::uint32_t address = argument(q, n), length = 0;
            switch (p.row->arguments[n]) {
                case 's':
                    p.path[p.inputs] = static_cast<int>(paths_.size());
                    paths_.emplace_back();
                    break;
                case 'r': length = argument(q, n + 1); break;
                case 't': length = guest::timespec_bytes_MIPS; break;
                case 'T': length = address ? 2 * guest::timespec_bytes_MIPS : 0; break;
                case 'a': length = address ? guest::sigaction_bytes_MIPS : 0; break;
                case 'q':
                    // More than memory has room for is no list.
                    if (argument(q, n + 1) > population_.files.paths().policy().max_files) p.early_result = failure(EINVAL);
                    else if (argument(q, n + 1) > population_.config.data_bytes() / guest::pollfd_bytes_MIPS)
                        p.early_result = failure(EFAULT);
                    else length = argument(q, n + 1) * guest::pollfd_bytes_MIPS;
                    break;
                case 'l':
                    if (std::optional<guest::LockCommand> command = guest::lock_command(argument(q, n - 1)))
                        length = guest::flock_bytes(*command);
                    break;
                case 'z': length = 4; break;
                case 'y': length = address && guest::waits_for_time(argument(q, n - 2)) ? guest::timespec_bytes_MIPS : 0; break;
                case 'k':
                    address = MOG_DATA_BASE + 4 * MOG_CB_BRK;
                    length = 4;
                    break;
                default:
                    if (argument(q, n + 1) > guest::iovec_limit_MIPS) p.early_result = failure(EINVAL);
                    else length = argument(q, n + 1) * static_cast<std::uint32_t>(guest::iovec_bytes_MIPS);
            }
            if (length && !has_memory(address, length)) {
                p.early_result = failure(EFAULT);
                length = 0;
            }
            if (MemoryChecker *const memory = population_.config.memory; memory && p.row->arguments[n] != 'k' && p.row->arguments[n] != 's')
                memory->call_reads(pe, p.row->name, q[MOG_Q_PC] - 1, address, length);
            p.input_size[p.inputs] = length;
            if (length) p.input_at[p.inputs] = plan_fetch(pe, address, length);
            p.inputs++;
        }
    }
    gathered_.resize(planned_);
    if (!fetches_.empty())
        if (Result<void> done = device_.gather(fetches_, gathered_); !done) return done;
    if (Result<void> done = fetch_vectors(); !done) return done;
    return paths_.empty() ? Result<void>() : fetch_paths();
}

/// --check=memory: what a call takes from registers, and the room that it fills.
void SystemCalls::check_arguments(const SyscallRow &row, const Request &q) {
    constexpr Role roles[] = {Role::a0, Role::a1, Role::a2, Role::a3};
    MemoryChecker &memory = *population_.config.memory;
    const std::uint32_t pe = q[MOG_Q_PE], at = q[MOG_Q_PC] - 1;
    for (std::uint32_t n = 0; n < std::min<std::size_t>(row.arguments.size(), std::size(roles)); ++n)
        memory.call_takes(pe, row.name, at, n, roles[n]);
    for (std::size_t n = find_letter(row, "w"); n != std::string_view::npos; n = find_letter(row, "w", n + 1))
        memory.call_fills(pe, row.name, at, argument(q, n), argument(q, n + 1));
}

/// writev: the array of parts is here; now the parts, put together.
Result<void> SystemCalls::fetch_vectors() {
    fetches_.clear();
    std::vector<std::pair<Pending *, std::size_t>> vectors;  // and the first of its transfers
    for (Pending &p : batch_) {
        if (!p.row || p.early_result || p.row->arguments.find('i') == std::string_view::npos) continue;
        vectors.emplace_back(&p, fetches_.size());
        std::span<const std::uint8_t> array(gathered_.data() + p.input_at[0], p.input_size[0]);
        std::uint64_t total = 0;
        for (std::size_t i = 0; i < array.size() / guest::iovec_bytes_MIPS; i++) {
            guest::IoVector part = guest::to_host_iovec(array, i);
            if (part.length && !has_memory(part.address, part.length)) p.early_result = failure(EFAULT);
            else if (population_.config.memory)
                population_.config.memory->call_reads(p.request->at(MOG_Q_PE), p.row->name, p.request->at(MOG_Q_PC) - 1, part.address,
                                                      part.length);
            if (p.early_result) break;
            // Parts that overlap could hold more than memory does. As always, less may be written than is wanted.
            if (total + part.length > population_.config.data_bytes() && total > 0) break;
            total += part.length;
            // The exact bytes, so that joining them needs no second list.
            if (part.length) fetches_.push_back({p.request->at(MOG_Q_PE), part.address, part.length, 0, false});
        }
        p.input_size[0] = p.early_result ? 0 : static_cast<std::uint32_t>(total);
    }
    if (vectors.empty()) return {};
    std::uint32_t at = static_cast<std::uint32_t>((gathered_.size() + 3) & ~std::size_t{3});
    for (Transfer &t : fetches_) {
        t.staging = at;
        at += (t.length + 3u) & ~3u;
    }
    gathered_.resize(at);
    if (!fetches_.empty())
        if (Result<void> done = device_.gather(fetches_, gathered_); !done) return done;
    // Parts began at words; close the gaps within each call.
    for (std::size_t v = 0; v < vectors.size(); v++) {
        auto [p, first] = vectors[v];
        std::size_t last = v + 1 < vectors.size() ? vectors[v + 1].second : fetches_.size();
        if (first == last || p->early_result) continue;
        std::uint32_t to = p->input_at[0] = fetches_[first].staging;
        for (std::size_t i = first; i < last; i++) {
            std::memmove(gathered_.data() + to, gathered_.data() + fetches_[i].staging, fetches_[i].length);
            to += fetches_[i].length;
        }
    }
    return {};
}

/// Strings, in pieces until each has its NUL.
Result<void> SystemCalls::fetch_paths() {
    struct Open {
        Pending *pending;
        std::size_t path;
        std::uint32_t address;
    };
    std::vector<Open> open;
    for (Pending &p : batch_) {
        std::size_t argument_at = 0;
        for (std::uint32_t n = 0; n < p.inputs; n++) {
            if (p.path[n] < 0) continue;
            argument_at = find_letter(*p.row, "s", n ? argument_at + 1 : 0);
            open.push_back({&p, static_cast<std::size_t>(p.path[n]), argument(*p.request, argument_at)});
        }
    }
    std::vector<std::uint8_t> staging;
    for (std::uint32_t piece = 128; !open.empty(); piece = 1024) {
        fetches_.clear();
        std::uint32_t at = 0;
        for (Open &o : open) {
            std::uint32_t room = has_memory(o.address, 1) ? services_.addresses.end_of(o.address) - o.address : 0;
            std::uint32_t length = std::min(piece, room);
            fetches_.push_back({o.pending->request->at(MOG_Q_PE), o.address, length, at, false});
            at += (length + 3u) & ~3u;
        }
        staging.resize(at);
        std::vector<Transfer> real;
        std::copy_if(fetches_.begin(), fetches_.end(), std::back_inserter(real), [](const Transfer &t) { return t.length != 0; });
        if (!real.empty())
            if (Result<void> done = device_.gather(real, staging); !done) return done;
        std::vector<Open> left;
        for (std::size_t i = 0; i < open.size(); i++) {
            Open &o = open[i];
            const Transfer &t = fetches_[i];
            if (t.length == 0) {
                o.pending->early_result = failure(EFAULT);
                continue;
            }
            const char *text = reinterpret_cast<const char *>(staging.data() + t.staging);
            std::size_t size = strnlen(text, t.length);
            std::string &path = paths_[o.path];
            path.append(text, size);
            o.address += t.length;
            if (path.size() >= guest::path_limit_MIPS) o.pending->early_result = failure(ENAMETOOLONG);
            else if (size == t.length) left.push_back(o);
        }
        open = std::move(left);
    }
    return {};
}

/// Why a call that programs are known to make has no meaning here, and what to do instead; empty for others.
static std::string_view why_unsupported(std::string_view call) {
    constexpr std::string_view starts = ": a PE cannot start processes or threads; let more PEs share the work (-n)";
    constexpr std::string_view waits = ": nothing interrupts a PE that computes (alarm() one that sleeps); --timeout ends a run";
    constexpr std::pair<std::string_view, std::string_view> reasons[] = {
        {"fork", starts},
        {"vfork", starts},
        {"clone", starts},
        {"clone3", starts},
        {"mmap2", ": files are mapped by MOG's C library, and memory where there are threads (--threads)"},
        {"futex", ": there are no threads (--threads) that could wake this one"},
        {"alarm", waits},
        {"setitimer", waits},
        {"timer_create", waits},
        {"execve", ": a PE runs one program"},
        {"socket", ": PEs have no network"},
    };
    for (const auto &[name, reason] : reasons)
        if (name == call) return reason;
    return {};
}

/// Says once for each call that PEs cannot make it.
void SystemCalls::tell_unsupported(const Request &q) {
    std::uint32_t number = q[MOG_Q_INFO] == 0 ? q[MOG_Q_NUMBER] : q[MOG_Q_INFO];
    std::size_t slot = std::min<std::size_t>(number, 8192);
    if (slot >= population_.told_unsupported.size()) population_.told_unsupported.resize(slot + 1);
    if (population_.told_unsupported[slot]) return;
    population_.told_unsupported[slot] = true;
    std::uint32_t at = q[MOG_Q_PC] ? q[MOG_Q_PC] - 1 : 0;
    SourcePlace place = find_source(image_, at < image_.source_address.size() ? image_.source_address[at] : 0);
    std::string_view name = q[MOG_Q_INFO] == 0 ? guest::call_name(number) : "";
    population_.output.flush();
    population_.config.say(fmt::format("system call {} is not supported and fails{} (first: PE {}{}{})",
                                       name.empty() ? fmt::format("{}", number) : fmt::format("{} ({})", name, number),
                                       why_unsupported(name), q[MOG_Q_PE], place.function.empty() ? "" : " in " + place.function,
                                       place.file.empty() ? "" : fmt::format(" at {}:{}", place.file, place.line)));
}

/// --strace: what a call gave that was served just now.
void SystemCalls::trace_call(const Pending &p, std::size_t first_reply, std::int32_t result, bool returns) {
    const Request &q = *p.request;
    if (!trace_.shows(q[MOG_Q_PE])) return;
    const std::span<const std::uint32_t, 8> args(q.data() + MOG_Q_ARG, 8);
    if (!p.row) return trace_.put(q[MOG_Q_PE], strace_line_unknown(q[MOG_Q_NUMBER], args, result));
    TracedCall call{*p.row, args, {}, replies_, first_reply, result};
    // What one of two could not be read of the other was.
    for (std::uint32_t n = 0; n < p.inputs; n++)
        if (!p.early_result) call.input[n] = input_of(p, n);
    trace_.put(q[MOG_Q_PE], returns ? strace_line(call) : strace_line_without_result(call));
}

std::span<const std::uint8_t> SystemCalls::input_of(const Pending &p, std::uint32_t n) const {
    if (p.path[n] < 0) return {gathered_.data() + p.input_at[n], p.input_size[n]};
    const std::string &path = paths_[static_cast<std::size_t>(p.path[n])];
    return {reinterpret_cast<const std::uint8_t *>(path.data()), path.size()};
}

/// What its handler sees of a call whose inputs were fetched.
Call SystemCalls::call_of(const Pending &p) {
    const Request &q = *p.request;
    const std::uint32_t pe = q[MOG_Q_PE];
    Call call{services_,  &population_.process_of(pe),
              pe,         &population_.wake_of(pe),
              replies_,   std::span<const std::uint32_t, 8>(q.data() + MOG_Q_ARG, 8),
              q[MOG_Q_SP]};
    for (std::uint32_t n = 0; n < p.inputs; n++) call.input[n] = input_of(p, n);
    return call;
}

/// A handler that cannot answer yet, or not alone, has changed nothing that it minds when it is asked again.
Device::Served SystemCalls::serve_at_once(const Request &q, bool any, std::vector<std::uint32_t> &woken) {
    using Served = Device::Served;
    if (q[MOG_Q_STOP] == MOG_STOP_YIELD) return Served::yields;
    if (q[MOG_Q_STOP] != MOG_STOP_SYS || q[MOG_Q_INFO] != 0 || trace_.is_on() || is_over() || has_left_stack(q)) return Served::later;
    Pending pending;
    pending.request = &q;
    pending.row = find_syscall(q[MOG_Q_NUMBER]);
    const std::uint32_t pe = q[MOG_Q_PE];
    if (!pending.row) return Served::later;
    // The run of a sweep that ends makes room for another.
    const bool is_exit = pending.row->handler == sys_exit || pending.row->handler == sys_exit_group;
    if (any && is_exit && population_.queue && !population_.has_other_threads(pe) && !population_.config.options.fuel) {
        count(pe, pending.row);
        ends_.end_by_exit(population_.config.process_of(pe), q[MOG_Q_ARG] & 0xff);
        population_.queue->begin_in_place_of(population_.config.process_of(pe));
        return Served::rests;
    }
    // What ends a PE is for the round, unless it is a thread of several.
    if (pending.row->urgency == Urgency::now && !(pending.row->handler == sys_exit && population_.has_other_threads(pe)))
        return Served::later;
    if (!any && pending.row->urgency != Urgency::threads && pending.row->handler != sys_exit) return Served::later;
    // What threads ask for most often, a futex, reads a word, for which what is made for many calls takes longer than the call.
    const bool has_time = argument(q, 3) != 0 && guest::waits_for_time(argument(q, 1));
    // A worker of a graph that the host schedules is told before it sleeps.
    if (pending.row->handler == sys_futex && !schedule_graphs(woken)) return Served::later;
    const bool reads_word = pending.row->handler == sys_futex && !has_time && has_memory(argument(q, 0), 4);
    if (reads_word) {
        const Transfer transfer{pe, argument(q, 0), 4, 0, false};
        gathered_.resize(4);
        if (!device_.gather({&transfer, 1}, gathered_)) return Served::later;
        pending.inputs = 2;
        pending.input_size[0] = 4;
    } else if (pending.row->fetches || (population_.config.memory && !pending.row->is_plain)) {
        batch_.assign(1, pending);
        if (!fetch_inputs()) return Served::later;
        pending = batch_.front();
    }
    std::int32_t result = pending.early_result;
    Served served = Served::runs_on;
    if (result == 0) {
        Call call = call_of(pending);
        result = pending.row->handler(call);
        const bool about_threads = call.outcome == Outcome::Park || call.outcome == Outcome::Yield || call.outcome == Outcome::ThreadExit;
        if ((call.outcome != Outcome::Resume && !about_threads) || call.is_unsupported) {
            replies_.clear();
            return Served::later;
        }
        count(pe, pending.row);
        if (call.outcome == Outcome::Yield) served = Served::yields;
        else if (call.outcome != Outcome::Resume) served = Served::rests;
        if (!concern_others(q, call)) return Served::later;
        woken.insert(woken.end(), call.woken.begin(), call.woken.end());
        if (call.started) woken.push_back(call.started->pe);
        if (call.outcome == Outcome::Park) scheduler_.stop(pe, PeState::Parked, WaitFor::threads);
        if (call.outcome == Outcome::ThreadExit) end_thread(pe);
    } else {
        count(pe, pending.row);
    }
    if (served != Served::rests) answers_.push_back(answer_for(pe, result));
    // After an error of the device's the round meets it, too.
    return reply() ? served : Served::later;
}

/// What a call does to other threads than its own: those that it wakes, and one that it starts. Before they run, memory is as the call left
/// it.
Result<void> SystemCalls::concern_others(const Request &q, const Call &call) {
    RaceChecker *const races = population_.config.races;
    for (const std::uint32_t pe : call.woken) {
        if (races) races->wakes(q[MOG_Q_PE], pe);
        answers_.push_back(answer_for(pe, 0));
        scheduler_.resume(pe);
    }
    if (call.sets_thread_pointer) MOG_TRY(set_thread_pointer(q[MOG_Q_PE], *call.sets_thread_pointer));
    if (!call.started) return {};
    MOG_TRY(start_thread(q[MOG_Q_PE], *call.started));
    population_.threads->has_stack(call.started->pe, call.started->stack_pointer);
    if (races) races->starts(q[MOG_Q_PE], call.started->pe);
    if (races) races->has_stack(call.started->pe, population_.threads->stack_of(call.started->pe));
    scheduler_.resume(call.started->pe);
    return {};
}

/// A thread begins behind the call that started it, with the same registers but for these.
Result<void> SystemCalls::start_thread(std::uint32_t parent, const StartedThread &started) {
    const std::uint32_t pe = started.pe;
    MOG_TRY(device_.copy_state(parent, pe, MOG_S_REGS + static_cast<std::uint32_t>(image_.register_names.size())));
    const std::array<std::uint32_t, 3> values = {0, started.stack_pointer, started.thread_pointer.value_or(0)};
    const auto set = [pe](std::uint32_t row, std::uint32_t value) { return Transfer{pe, row, 4, 4 * value, true}; };
    const std::uint32_t stack_row = MOG_S_REGS + image_.roles[static_cast<std::size_t>(Role::sp)];
    const std::array transfers = {set(MOG_S_COUNT_LO, 0), set(MOG_S_COUNT_HI, 0), set(rows_.v0, 0),
                                  set(rows_.a3, 0),       set(stack_row, 1),      set(thread_pointer_row_.value_or(0), 2)};
    const bool sets_pointer = thread_pointer_row_ && started.thread_pointer;
    return device_.scatter(std::span(transfers).first(transfers.size() - (sets_pointer ? 0 : 1)),
                           {reinterpret_cast<const std::uint8_t *>(values.data()), sizeof values});
}

Result<void> SystemCalls::set_thread_pointer(std::uint32_t pe, std::uint32_t value) {
    if (!thread_pointer_row_) return {};
    const Transfer transfer{pe, *thread_pointer_row_, 4, 0, true};
    return device_.scatter({&transfer, 1}, {reinterpret_cast<const std::uint8_t *>(&value), sizeof value});
}

void SystemCalls::end_thread(std::uint32_t pe) {
    if (RaceChecker *const races = population_.config.races) races->ends(pe, population_.threads->cleared_at_end(pe));
    scheduler_.stop(pe, PeState::Free);
    population_.threads->give_back(pe);
}

/// Lets a call's handler do its work and notes what comes of it.
Result<void> SystemCalls::handle(Pending &p) {
    const Request &q = *p.request;
    const std::uint32_t pe = q[MOG_Q_PE];
    const std::size_t first_reply = replies_.transfers().size();
    std::int32_t result = 0;
    if (!p.row) {
        result = failure(ENOSYS);
        tell_unsupported(q);
    } else if (p.early_result) {
        result = p.early_result;
    } else {
        if (population_.states[pe] == PeState::Ended) return {};  // with its process, by another call of the round
        Call call = call_of(p);
        result = p.row->handler(call);
        if (call.is_unsupported) tell_unsupported(q);
        if (call.outcome != Outcome::Native && call.outcome != Outcome::Block)
            trace_call(p, first_reply, result, call.outcome != Outcome::Exit && call.outcome != Outcome::Mpi);
        conclude(q, call, result);
        return concern_others(q, call);
    }
    trace_call(p, first_reply, result, true);
    answers_.push_back(answer_for(pe, result));
    scheduler_.resume(pe);
    return {};
}

Result<void> SystemCalls::serve_natives() {
    if (native_calls_.empty()) return {};
    const std::vector<Request> requests = std::exchange(native_calls_, {});
    std::map<std::uint32_t, std::vector<mog_call>> by_function;
    for (const Request &q : requests) {
        mog_call &call = by_function[argument(q, 0)].emplace_back();
        call.pe = q[MOG_Q_PE];
        for (std::size_t n = 0; n < MOG_CALL_ARGUMENTS; n++) call.arguments[n] = argument(q, n + 1);
    }
    PeMemory memory(device_, population_.config.nproc, population_.config.addresses());
    for (auto &[function, calls] : by_function) {
        // What it does to the list is its own affair: who called stands in ours too.
        std::vector<std::uint32_t> pes;
        for (const mog_call &call : calls) pes.push_back(call.pe);
        population_.config.natives->call(function, calls, memory);
        for (std::size_t i = 0; i < calls.size(); i++) {
            const std::int32_t error = calls[i].error ? -failure(calls[i].error) : 0;
            answers_.push_back({pes[i], static_cast<std::uint32_t>(error ? error : calls[i].result), error != 0});
            if (trace_.shows(pes[i])) {
                std::uint32_t args[8] = {function};
                std::copy_n(calls[i].arguments, MOG_CALL_ARGUMENTS, args + 1);
                trace_.put(pes[i], strace_line({*find_syscall(native_call_number),
                                                args,
                                                {},
                                                replies_,
                                                replies_.transfers().size(),
                                                error ? -error : calls[i].result}));
            }
        }
    }
    return reply();
}

Result<void> SystemCalls::serve_batch(std::span<const Request> requests) {
    batch_.clear();
    for (const Request &request : requests) {
        if (request[MOG_Q_STOP] == MOG_STOP_YIELD) continue;  // others have had their turn
        if (request[MOG_Q_STOP] != MOG_STOP_SYS) {
            killed_.push_back(request);
            signals_.push_back(0);
            continue;
        }
        Pending pending;
        pending.request = &request;
        if (request[MOG_Q_INFO] == 0) pending.row = find_syscall(request[MOG_Q_NUMBER]);
        count(request[MOG_Q_PE], pending.row);
        batch_.push_back(pending);
    }
    if (Result<void> done = fetch_inputs(); !done) return done;
    for (std::size_t i = 0; i < batch_.size(); i++) {
        // At the clock; poll() of a thousand descriptors takes a millisecond. Where they are few, they may be large.
        constexpr std::size_t calls_between_looks = 16, few = 64;
        if (clock_.deadline().is_set() && (batch_.size() < few || i % calls_between_looks == 0) && is_over()) {
            for (; i < batch_.size(); i++) postpone(*batch_[i].request);
            break;
        }
        MOG_TRY(handle(batch_[i]));
    }
    return reply();
}

}  // namespace mog
