// ends.cpp
#include "runtime_host/service/ends.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/faults/fault_details.hpp"
#include "runtime_host/gdb/debugger.hpp"
#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/guest_names.hpp"
#include "runtime_host/memory/memory_checker.hpp"
#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/races/race_checker.hpp"
#include "runtime_host/replay/recorder.hpp"
#include "runtime_host/service/run_queue.hpp"

namespace mog {

namespace {

constexpr std::uint32_t stack_words = 512;  // fetched at once of PEs whose callers have to be found
constexpr std::size_t pes_at_once = 4096;   // of which they are fetched
constexpr int cancel_status = 128 + static_cast<int>(guest::SIGTERM_MIPS);

EndedBy how_ended(Ending::By by) {
    switch (by) {
        case Ending::By::Fault: return EndedBy::Fault;
        case Ending::By::Signal: return EndedBy::Signal;
        case Ending::By::Fuel: return EndedBy::Fuel;
        case Ending::By::Deadlock: return EndedBy::Deadlock;
        case Ending::By::Abort: return EndedBy::Abort;
        case Ending::By::Interrupt: return EndedBy::Cancel;
        case Ending::By::Timeout: break;
    }
    return EndedBy::Timeout;
}

}  // namespace

void Ends::end(std::uint32_t pe, EndedBy by, int status, std::uint32_t signal) {
    if (population_.ends[pe].by != EndedBy::Not) return;  // by another thread, in the same round
    Process &process = population_.processes[pe];
    population_.output.end_lines(pe);
    process.descriptors = {};
    population_.files.locks().ended(pe);
    process.has_descriptors = true;
    if (population_.queue) population_.queue->ended(pe);
    gauge_.ends(pe, population_.config.slots && population_.config.options.stats != Options::Stats::None);
    end_threads(pe);
    device_.ended(pe);
    const bool is_cut_short = by == EndedBy::Timeout || by == EndedBy::OthersFault || by == EndedBy::Cancel;
    if (population_.queue && !is_cut_short && population_.queue->repeats(pe, status)) {
        for (std::uint32_t thread = pe; thread < population_.states.size(); thread += population_.config.nproc)
            population_.states[thread] = PeState::Free;
        return;
    }
    population_.ends[pe] = {by, status, static_cast<int>(signal), 0};
    if (population_.config.recorder) population_.config.recorder->has_ended(pe, population_.ends[pe]);
    population_.ended++;
    if (population_.mpi) population_.mpi->ended(pe);
}

/// None of the process's threads runs or waits any more.
void Ends::end_threads(std::uint32_t process) {
    if (!population_.threads) return scheduler_.stop(process, PeState::Ended);
    for (std::uint32_t pe = process; pe < population_.states.size(); pe += population_.config.nproc) scheduler_.stop(pe, PeState::Ended);
    population_.threads->end_process(process);
    if (population_.config.races) population_.config.races->ends_process(process);
    std::erase_if(population_.waiting, [&](const Request &q) { return population_.config.process_of(q[MOG_Q_PE]) == process; });
}

void Ends::end_by_exit(std::uint32_t pe, std::uint32_t status) {
    if (trace_.is_on()) trace_.put(pe, fmt::format("+++ exited with {} +++", status));
    if (population_.config.memory) population_.config.memory->ends_process(pe);
    end(pe, EndedBy::Exit, static_cast<int>(status));
}

void Ends::end_all(EndedBy by, int status) {
    for (const std::uint32_t pe : population_.all_running()) end(pe, by, status);
    population_.waiting.clear();
}

Result<void> Ends::end_faulty(std::span<const Request> faults, std::span<const std::uint32_t> signals) {
    std::vector<Ending> endings;
    std::vector<StoppedPe::Facts> facts;
    for (std::size_t i = 0; i < faults.size(); i++) {
        const Request &q = faults[i];
        if (signals[i] && population_.config.debugger) population_.config.debugger->stops_by_signal(q[MOG_Q_PE], signals[i]);
        const Ending::By by = signals[i] ? Ending::By::Signal : Ending::By::Fault;
        endings.push_back({by, q[MOG_Q_STOP], q[MOG_Q_INFO], signals[i], {}, {}});
        const std::uint32_t at = q[MOG_Q_STOP] == MOG_STOP_SYS && q[MOG_Q_PC] ? q[MOG_Q_PC] - 1 : q[MOG_Q_PC];
        facts.push_back({q[MOG_Q_PE], at, q[MOG_Q_SP], q[MOG_Q_RA], 0, 0});
    }
    return end_with(endings, facts);
}

Result<void> Ends::end_by_limit(Ending::By limit, std::span<const std::uint32_t> processes) {
    std::vector<std::uint32_t> pes;
    for (const std::uint32_t process : processes) pes.push_back(population_.threads_of(process).front());
    return end_where_they_stand(std::vector<Ending>(pes.size(), {limit, 0, 0, 0, {}, {}}), pes);
}

Result<void> Ends::end_deadlocked_threads() {
    constexpr std::size_t most_told = 8;
    std::vector<Ending> endings;
    std::vector<std::uint32_t> pes;
    for (const std::uint32_t process : population_.all_running()) {
        if (population_.queue && !population_.queue->has_begun(process)) continue;
        const std::vector<std::uint32_t> threads = population_.threads_of(process);
        std::string text = threads.size() == 1 ? "" : "all threads wait for each other: ";
        for (std::size_t i = 0; i < std::min(threads.size(), most_told); ++i) {
            const std::string place = place_of(threads[i]);
            const Result<std::string> lock = places_.lock_of(threads[i]);
            if (!lock) return lock.error();
            text += fmt::format("{}thread {} waits{}{}{}{}", i == 0 ? "" : "; ", population_.config.thread_of(threads[i]),
                                place.empty() ? "" : " ", place, lock->empty() ? "" : " for ", *lock);
        }
        if (threads.size() > most_told) text += fmt::format("; and {} more", threads.size() - most_told);
        endings.push_back({Ending::By::Deadlock, 0, 0, 0, text, {}, deadlock_status});
        pes.push_back(threads.front());
    }
    population_.output.flush();
    return end_where_they_stand(endings, pes);
}

Result<void> Ends::end_where_they_stand(std::span<const Ending> endings, std::span<const std::uint32_t> pes) {
    Result<std::vector<StoppedPe::Facts>> facts = places_.where_they_stand(pes);
    return facts ? end_with(endings, *facts) : facts.error();
}

/// Ends PEs, after a look at the heap's end, $fp and, of those whose place has no source line, the stack of each.
Result<void> Ends::end_with(std::span<const Ending> endings, std::span<StoppedPe::Facts> facts) {
    // In pieces: the stacks of a million PEs at once would be gigabytes.
    for (std::size_t at = 0; at < facts.size(); at += pes_at_once) {
        const std::size_t count = std::min(pes_at_once, facts.size() - at);
        if (Result<void> done = end_some_with(endings.subspan(at, count), facts.subspan(at, count)); !done) return done;
    }
    return {};
}

Result<void> Ends::end_some_with(std::span<const Ending> endings, std::span<StoppedPe::Facts> facts) {
    const std::optional<std::uint32_t> fp = find_register(image_, "fp");
    std::vector<Transfer> transfers;
    std::vector<std::uint32_t> first;  // word of each PE's heap end; its $fp and the words of its stack follow
    std::uint32_t words = 0;
    for (const StoppedPe::Facts &f : facts) {
        first.push_back(words);
        transfers.push_back({f.pe, MOG_DATA_BASE + 4 * MOG_CB_BRK, 4, 4 * words++, false});
        if (fp) transfers.push_back({f.pe, MOG_S_REGS + *fp, 4, 4 * words, true});
        words++;
        if (!population_.faults.wants_stack(StoppedPe(device_, image_, population_.config.data_bytes(), f))) continue;
        if ((f.sp & 3) != 0 || f.sp < MOG_DATA_BASE || f.sp - MOG_DATA_BASE > population_.config.data_bytes() - 4) continue;
        const std::uint32_t size = std::min(stack_words, (MOG_DATA_BASE + population_.config.data_bytes() - f.sp) / 4);
        transfers.push_back({f.pe, f.sp, 4 * size, 4 * words, false});
        words += size;
    }
    first.push_back(words);
    std::vector<std::uint32_t> content(words);
    std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t *>(content.data()), 4 * content.size());
    if (Result<void> done = device_.gather(transfers, bytes); !done) return done;
    for (std::size_t i = 0; i < facts.size(); i++) {
        if (population_.ends[population_.config.process_of(facts[i].pe)].by != EndedBy::Not) continue;  // by another thread of it
        facts[i].brk = content[first[i]];
        facts[i].fp = content[first[i] + 1];
        StoppedPe pe(device_, image_, population_.config.data_bytes(), facts[i]);
        pe.set_window(facts[i].sp, {content.data() + first[i] + 2, first[i + 1] - first[i] - 2});
        const FaultLog::Recorded recorded = population_.faults.record(endings[i], pe);
        dump_core(endings[i], recorded.is_first, pe);
        if (population_.fault_status == 0 && signal_of(endings[i]) != 0) population_.fault_status = recorded.status;
        const std::uint32_t process = population_.config.process_of(facts[i].pe);
        if (signal_of(endings[i]) != 0) trace_.put(process, fmt::format("+++ killed by {} +++", guest::signal_text(signal_of(endings[i]))));
        end(process, how_ended(endings[i].by), recorded.status, signal_of(endings[i]));
        population_.ends[process].cause = recorded.cause;
    }
    return {};
}

Result<void> Ends::end_all_by_timeout() {
    if (population_.queue) {
        const std::vector<std::uint32_t> runs = population_.queue->waiting();
        for (const std::uint32_t run : runs) end(run, EndedBy::Timeout, limit_status);
        if (!runs.empty()) population_.config.say(name_ranks(runs, population_.config.nproc) + "had not begun when the time was over");
    }
    const std::vector<std::uint32_t> pes = population_.all_running();
    if (Result<void> ended = end_by_limit(Ending::By::Timeout, pes); !ended) return ended;
    population_.waiting.clear();
    population_.result.status = limit_status;
    return {};
}

Result<void> Ends::end_all_by_cancel() {
    if (population_.config.cancel_is_interrupt) {
        if (Result<void> ended = end_by_limit(Ending::By::Interrupt, population_.all_running()); !ended) return ended.error();
        population_.waiting.clear();
        population_.result.status = interrupt_status;
        return {};
    }
    end_all(EndedBy::Cancel, cancel_status);
    population_.result.status = cancel_status;
    return {};
}

void Ends::end_all_for_fault() {
    const std::vector<std::uint32_t> pes = population_.all_running();
    end_all(EndedBy::OthersFault, population_.fault_status);
    population_.output.flush();
    population_.faults.tell_all();
    population_.result.status = population_.fault_status;
    if (population_.config.bridge) population_.mpi->ending().end_all(population_.fault_status);
    if (!pes.empty())
        population_.config.say(name_ranks(population_.world_ranks(pes), population_.config.world()) +
                               "ended, for another went wrong (--on-fault=abort)");
}

Result<void> Ends::end_those_without_fuel() {
    const std::vector<std::uint32_t> pes = scheduler_.without_fuel();
    return pes.empty() ? Result<void>() : end_by_limit(Ending::By::Fuel, pes);
}

void Ends::finish(double seconds) {
    RunResult &result = population_.result;
    tell_memory(true);
    population_.faults.tell_all();
    tell_races();
    if (population_.mpi && !population_.mpi->aborted() && !(population_.config.bridge && population_.mpi->ending().ended_with()))
        for (const std::string &sentence : population_.mpi->leaks()) population_.config.say(sentence);
    tell_cores();
    if (result.status == 0)
        for (const PeEnd &end : population_.ends)
            if (end.status != 0) {
                result.status = end.status;
                break;
            }
    if (result.status == 0 && population_.config.races && population_.config.races->races() != 0) result.status = races_status;
    if (result.status == 0 && population_.config.memory && population_.config.memory->found_any()) result.status = memory_status;
    if (const int broken = result.status == 0 ? population_.output.error(STDOUT_FILENO) : 0)
        result.status = broken == EPIPE ? 128 + static_cast<int>(guest::SIGPIPE_MIPS) : broken == ETIMEDOUT ? limit_status : 1;
    for (std::uint32_t pe = 0; pe < population_.config.nproc; pe++) result.ranks_by_status[population_.ends[pe].status].push_back(pe);
    result.seconds = seconds;
    const auto was_cut_short = [](const PeEnd &end) {
        return end.by == EndedBy::Timeout || end.by == EndedBy::OthersFault || end.by == EndedBy::Cancel;
    };
    if (std::ranges::none_of(population_.ends, was_cut_short)) device_.all_ended();
}

void Ends::tell_races() {
    const RunConfig &config = population_.config;
    if (!config.races) return;
    for (const Race &race : config.races->take_races()) {
        population_.output.flush();
        config.say(name_ranks(population_.world_ranks({race.process}), config.world()) + race_as_text(image_, race));
    }
}

void Ends::tell_memory(bool all) {
    const RunConfig &config = population_.config;
    if (!config.memory) return;
    for (const MemoryChecker::Finding &finding : config.memory->take(all)) {
        population_.output.flush();
        std::vector<std::uint32_t> processes = finding.processes;
        const std::string ranks = name_ranks(population_.world_ranks(processes), config.world());
        const std::size_t end = finding.text.find('\n');
        if (finding.is_again) {
            config.say(fmt::format("{}the same: {}", ranks, finding.text.substr(0, end)));
            continue;
        }
        const std::string line = config.shows_source() ? source_line(finding.place) : "";
        config.say(ranks + finding.text.substr(0, end) + (line.empty() ? "" : "\n" + line) +
                   (end == std::string::npos ? "" : finding.text.substr(end)));
    }
}

// ---- cores ----------------------------------------------------------------------------------------------------------

void Ends::dump_core(const Ending &ending, bool is_first, StoppedPe &pe) {
    const RunConfig &config = population_.config;
    const std::uint32_t process = config.process_of(pe.pe()), rank = config.first_rank + process;
    if (!config.options.cores.wants(rank, is_first)) return;
    std::vector<StoppedPe> others;
    std::vector<std::uint32_t> threads = population_.threads_of(process);
    std::erase(threads, pe.pe());
    if (const Result<std::vector<StoppedPe::Facts>> facts = places_.where_they_stand(threads))
        for (const StoppedPe::Facts &thread : *facts) others.emplace_back(device_, image_, config.data_bytes(), thread);
    const CoreSubject subject{pe, process, others, signal_of(ending), ending.by == Ending::By::Fault ? ending.info : 0};
    const Result<void> written = write_core(config.options.cores, config.core, image_, rank, subject);
    if (written) population_.cores.push_back(process);
    else config.say(fmt::format("no core of PE {}: {}", rank, written.error().text()));
}

Result<std::string> Ends::write_core_of(std::uint32_t process) {
    const RunConfig &config = population_.config;
    const Result<std::vector<StoppedPe::Facts>> facts = places_.where_they_stand(population_.threads_of(process));
    if (!facts) return facts.error();
    if (facts->empty()) return Error{"it has ended"};
    std::vector<StoppedPe> threads;
    for (const StoppedPe::Facts &thread : *facts) threads.emplace_back(device_, image_, config.data_bytes(), thread);
    const CoreSubject subject{threads.front(), process, std::span(threads).subspan(1), 0, 0};
    const std::uint32_t rank = config.first_rank + process;
    MOG_TRY(write_core(config.options.cores, config.core, image_, rank, subject));
    return core_path(config.options.cores, rank).string();
}

void Ends::tell_cores() {
    if (population_.cores.empty()) return;
    std::sort(population_.cores.begin(), population_.cores.end());
    const std::string_view plural = population_.cores.size() > 1 ? "s" : "";
    const std::vector<std::uint32_t> ranks = population_.world_ranks(population_.cores);
    population_.config.say(fmt::format("wrote core{} of PE{} {}: {}", plural, plural, fold_ranks(ranks),
                                       core_path(population_.config.options.cores, ranks.front()).string()));
}

}  // namespace mog
