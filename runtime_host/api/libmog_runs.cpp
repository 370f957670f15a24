// libmog_runs.cpp: the functions of mog.h that run, and that tell what came of it. What a run does is program_run.cpp's.
#include <pthread.h>

#include <cerrno>
#include <csignal>
#include <ctime>

#include "runtime_host/api/libmog_handles.hpp"
#include "runtime_host/mpi/tools/statistics.hpp"

using namespace mog;

namespace {

constexpr std::size_t most_idle_devices = 4;

Failure failure_of(RunFailure kind, const Error &error) {
    switch (kind) {
        case RunFailure::Device: return {MOG_ERROR_DEVICE, error.text()};
        case RunFailure::Pe: return {MOG_ERROR_PE, error.text()};
        case RunFailure::None:
        case RunFailure::Input: break;
    }
    return {MOG_ERROR_SETUP, error.text()};
}

Failure failure_of(const MemoryError &error) { return {error.code, error.error.message}; }

/// While this lives, a write to a pipe that nobody reads gives EPIPE and no SIGPIPE, and one that makes a file larger than it may
/// be (ulimit -f) EFBIG and no SIGXFSZ. Only this thread is concerned.
class WithoutWriteSignals {
public:
    WithoutWriteSignals() {
        sigset_t pending;
        sigpending(&pending);
        sigemptyset(&blocked_);
        // One that is pending was blocked already, and one more makes no difference.
        for (const int signal : {SIGPIPE, SIGXFSZ})
            if (sigismember(&pending, signal) != 1) sigaddset(&blocked_, signal);
        pthread_sigmask(SIG_BLOCK, &blocked_, &before_);
    }
    WithoutWriteSignals(const WithoutWriteSignals &) = delete;
    WithoutWriteSignals &operator=(const WithoutWriteSignals &) = delete;
    ~WithoutWriteSignals() {
        const struct timespec now {};
        for (int taken = 0; taken != -1 || errno == EINTR;) taken = sigtimedwait(&blocked_, nullptr, &now);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    sigset_t blocked_, before_;
};

/// What devices are told apart by for runs one after the other.
std::string key_of(const std::string &id, const LoadConfig &load) {
    return fmt::format("{} {} {} {} {} {} {} {}", id, static_cast<int>(load.engine), static_cast<int>(load.doubles), load.warp,
                       load.work_group, load.count, load.fuel, load.trace != nullptr);
}

mog_progress as_told(const RunProgress &p) { return {p.seconds, p.nproc, p.ended, p.slices, p.calls}; }

/// Output and messages of PEs, where the user wants them.
void connect(mog_run &run, RunConfig &config) {
    mog_run *const r = &run;
    config.say = config.trace = [r](std::string_view text) {
        if (text.ends_with('\n')) text.remove_suffix(1);
        r->log(text);
    };
    if (run.on_output) {
        config.output.by_pe = [r](std::uint32_t pe, int stream, std::string_view bytes) {
            return r->on_output(r->output_user, pe, stream, bytes.data(), bytes.size());
        };
    } else if (run.output == MOG_OUTPUT_KEEP) {
        config.output.by_pe = [r](std::uint32_t pe, int stream, std::string_view bytes) {
            r->kept[pe][static_cast<std::size_t>(stream - 1)].append(bytes);
            return 0;
        };
    } else if (run.output == MOG_OUTPUT_DISCARD) {
        config.output.by_pe = [](std::uint32_t, int, std::string_view) { return 0; };
    }
    if (config.output.by_pe)
        config.output.sink = [r](int, std::string_view lines) {
            while (!lines.empty()) {
                const std::size_t end = std::min(lines.find('\n'), lines.size());
                r->log(lines.substr(0, end));
                lines.remove_prefix(std::min(end + 1, lines.size()));
            }
            return 0;
        };
    else config.output = to_standard_streams(config.say);
    if (run.on_progress)
        config.progress = [r](const RunProgress &p) {
            const mog_progress progress = as_told(p);
            r->on_progress(r->progress_user, &progress);
        };
    config.cancel = &run.cancel;
    config.natives = &run.natives;
}

Failure load(mog_run &run) {
    if (run.state != MOG_RUN_SETUP) return {MOG_ERROR_STATE, "the run is loaded already"};
    RunConfig config = run.config;
    connect(run, config);
    auto loaded = std::make_unique<ProgramRun>(run.program->image, std::move(config));
    const auto find = [&](const std::string &id, const LoadConfig &load) -> std::unique_ptr<Device> {
        run.device_key = key_of(id, load);
        const std::lock_guard lock(run.program->mutex);
        auto &idle = run.program->idle;
        const auto found = std::ranges::find(idle, run.device_key, &ProgramContent::Idle::key);
        if (found == idle.end()) return nullptr;
        std::unique_ptr<Device> device = std::move(found->device);
        idle.erase(found);
        return device;
    };
    if (Result<void> made = loaded->load(find); !made) return failure_of(loaded->failure(), made.error());
    if (run.output == MOG_OUTPUT_KEEP && !run.on_output) run.kept.resize(loaded->nproc());
    run.pes = loaded->nproc();
    run.run = std::move(loaded);
    run.state = MOG_RUN_READY;
    return done;
}

Failure run_for(mog_run &run, const Stretch &stretch) {
    if (run.state == MOG_RUN_SETUP)
        if (Failure failure = load(run); failure.code != MOG_OK) return failure;
    if (run.state == MOG_RUN_FAILED) return {MOG_ERROR_STATE, "the device failed, or memory ran out: this run cannot go on"};
    if (run.state != MOG_RUN_READY) return {MOG_ERROR_STATE, "the run has ended; a new one begins with mog_run_new()"};
    if (Result<void> entered = run.run->device().enter_thread(); !entered) return {MOG_ERROR_DEVICE, entered.error().text()};
    const WithoutWriteSignals during;
    run.state = MOG_RUN_FAILED;  // also if memory runs out on the way, for calls may be half served then
    Result<bool> ended = run.run->loop().run_for(stretch);
    if (!ended) return {MOG_ERROR_DEVICE, ended.error().text()};
    if (*ended)
        if (Result<void> written = run.run->write_mpi_matrix(); !written) run.log(written.error().text());
    run.state = !*ended ? MOG_RUN_READY : run.run->loop().is_cancelled() ? MOG_RUN_CANCELLED : MOG_RUN_ENDED;
    return done;
}

/// Gives the device to whoever runs the program next, if that is of use.
void leave_device(mog_run &run) {
    if (!run.run || run.state == MOG_RUN_FAILED) return;
    std::unique_ptr<Device> device = run.run->take_device();
    run.run.reset();
    if (!device->enter_thread() || !device->unload()) return;
    const std::lock_guard lock(run.program->mutex);
    if (run.program->idle.size() < most_idle_devices) run.program->idle.push_back({run.device_key, std::move(device)});
}

Failure check_pe(const mog_run &run, std::uint32_t pe) { return pe < run.run->nproc() ? done : no_such_pe(pe, run.run->nproc()); }

bool has_ended(const mog_run &run) { return run.state == MOG_RUN_ENDED || run.state == MOG_RUN_CANCELLED; }

/// A piece has 32 bits for its size, as memory has.
Failure check_size(std::size_t size) {
    if (size <= UINT32_MAX) return done;
    return {MOG_ERROR_ADDRESS, fmt::format("{} bytes are more than a PE has addresses", size)};
}

}  // namespace

// ---- running ------------------------------------------------------------------------------------------------------------

mog_code mog_run_load(mog_run *run, mog_error *error) {
    return on_run(run, error, [&](mog_run &r) { return load(r); });
}

mog_code mog_run_to_end(mog_run *run, int *status, mog_error *error) {
    return on_run(run, error, [&](mog_run &r) {
        Failure failure = run_for(r, {});
        if (failure.code == MOG_OK && status) *status = r.run->loop().result().status;
        return failure;
    });
}

mog_code mog_run_for(mog_run *run, double seconds, uint64_t slices, mog_run_state *state, mog_error *error) {
    return on_run(run, error, [&](mog_run &r) -> Failure {
        if (!(seconds >= 0)) return {MOG_ERROR_ARGUMENT, fmt::format("{} is not a number of seconds", seconds)};
        Stretch stretch;
        if (seconds > 0) stretch.seconds = seconds;
        if (slices > 0) stretch.slices = slices;
        Failure failure = run_for(r, stretch);
        if (failure.code == MOG_OK && state) *state = r.state;
        return failure;
    });
}

void mog_run_cancel(mog_run *run) {
    if (run) run->cancel.ask();
}

uint32_t mog_run_pes(const mog_run *run) { return run ? run->pes.load() : 0; }

mog_code mog_run_get_state(mog_run *run, mog_run_state *state, mog_error *error) {
    return on_run(run, error, [&](mog_run &r) -> Failure {
        if (!state) return null_argument("state");
        *state = r.state;
        return done;
    });
}

mog_code mog_run_get_progress(mog_run *run, mog_progress *progress, mog_error *error) {
    return on_loaded(run, error, [&](mog_run &r) -> Failure {
        if (!progress) return null_argument("progress");
        *progress = as_told(r.run->loop().progress());
        return done;
    });
}

// ---- what came of it ----------------------------------------------------------------------------------------------------

mog_code mog_run_pe_end(mog_run *run, uint32_t pe, mog_pe_end *end, mog_error *error) {
    return on_loaded(run, error, [&](mog_run &r) -> Failure {
        if (!end) return null_argument("end");
        if (Failure wrong = check_pe(r, pe); wrong.code != MOG_OK) return wrong;
        const PeEnd &of = r.run->loop().end_of(pe);
        *end = {static_cast<mog_ended_by>(of.by), of.status, of.signal};
        return done;
    });
}

mog_code mog_run_pe_cause(mog_run *run, uint32_t pe, mog_cause *cause, mog_error *error) {
    return on_loaded(run, error, [&](mog_run &r) -> Failure {
        if (!cause) return null_argument("cause");
        if (Failure wrong = check_pe(r, pe); wrong.code != MOG_OK) return wrong;
        const EndCause &of = r.run->loop().cause_of(pe);
        *cause = {of.text.c_str(), of.place.function.c_str(), of.place.file.c_str(), of.place.line, of.code, of.address};
        return done;
    });
}

static_assert(static_cast<int>(EndedBy::Not) == MOG_ENDED_NOT && static_cast<int>(EndedBy::Exit) == MOG_ENDED_BY_EXIT &&
              static_cast<int>(EndedBy::Fault) == MOG_ENDED_BY_FAULT && static_cast<int>(EndedBy::Signal) == MOG_ENDED_BY_SIGNAL &&
              static_cast<int>(EndedBy::Fuel) == MOG_ENDED_BY_FUEL && static_cast<int>(EndedBy::Timeout) == MOG_ENDED_BY_TIMEOUT &&
              static_cast<int>(EndedBy::OthersFault) == MOG_ENDED_BY_OTHER && static_cast<int>(EndedBy::Cancel) == MOG_ENDED_BY_CANCEL &&
              static_cast<int>(EndedBy::Deadlock) == MOG_ENDED_BY_DEADLOCK && static_cast<int>(EndedBy::Abort) == MOG_ENDED_BY_ABORT);

mog_code mog_run_output(mog_run *run, uint32_t pe, int stream, const char **bytes, size_t *size, mog_error *error) {
    return on_loaded(run, error, [&](mog_run &r) -> Failure {
        if (!bytes) return null_argument("bytes");
        if (!size) return null_argument("size");
        if (stream != 1 && stream != 2)
            return {MOG_ERROR_ARGUMENT, fmt::format("{} is not a stream: 1 is standard output, 2 error", stream)};
        if (Failure wrong = check_pe(r, pe); wrong.code != MOG_OK) return wrong;
        if (r.kept.empty()) return {MOG_ERROR_STATE, "what PEs write is not kept in this run"};
        const std::string &text = r.kept[pe][static_cast<std::size_t>(stream - 1)];
        *bytes = text.c_str();
        *size = text.size();
        return done;
    });
}

mog_code mog_run_read(mog_run *run, uint32_t pe, uint32_t address, void *bytes, size_t size, mog_error *error) {
    return on_memory(run, error, [&](mog_run &r) -> Failure {
        if (Failure wrong = check_size(size); wrong.code != MOG_OK) return wrong;
        const mog_piece piece{pe, address, static_cast<std::uint32_t>(size), bytes};
        return failure_of(r.run->memory().read({&piece, 1}));
    });
}

mog_code mog_run_write(mog_run *run, uint32_t pe, uint32_t address, const void *bytes, size_t size, mog_error *error) {
    return on_memory(run, error, [&](mog_run &r) -> Failure {
        if (Failure wrong = check_size(size); wrong.code != MOG_OK) return wrong;
        std::vector<mog_piece> pieces(pe == MOG_ALL_PES ? r.run->nproc() : 1);
        for (std::uint32_t i = 0; i < pieces.size(); i++)
            pieces[i] = {pe == MOG_ALL_PES ? i : pe, address, static_cast<std::uint32_t>(size), const_cast<void *>(bytes)};
        return failure_of(r.run->memory().write(pieces));
    });
}

mog_code mog_run_read_pieces(mog_run *run, const mog_piece *pieces, size_t count, mog_error *error) {
    return on_memory(run, error, [&](mog_run &r) -> Failure {
        if (Failure wrong = check_pieces(pieces, count); wrong.code != MOG_OK) return wrong;
        return failure_of(r.run->memory().read({pieces, count}));
    });
}

mog_code mog_run_write_pieces(mog_run *run, const mog_piece *pieces, size_t count, mog_error *error) {
    return on_memory(run, error, [&](mog_run &r) -> Failure {
        if (Failure wrong = check_pieces(pieces, count); wrong.code != MOG_OK) return wrong;
        return failure_of(r.run->memory().write({pieces, count}));
    });
}

mog_code mog_run_memory(mog_run *run, uint32_t *address, uint32_t *size, mog_error *error) {
    return on_loaded(run, error, [&](mog_run &r) -> Failure {
        if (!address) return null_argument("address");
        if (!size) return null_argument("size");
        *address = MOG_DATA_BASE;
        *size = r.run->data_bytes();
        return done;
    });
}

mog_code mog_run_window(mog_run *run, uint32_t *address, uint32_t *size, mog_error *error) {
    return on_loaded(run, error, [&](mog_run &r) -> Failure {
        if (!address) return null_argument("address");
        if (!size) return null_argument("size");
        *address = MOG_SHARED_BASE;
        *size = r.run->window_bytes();
        return done;
    });
}

mog_code mog_run_stats(mog_run *run, const char **json, mog_error *error) {
    return on_loaded(run, error, [&](mog_run &r) -> Failure {
        if (!json) return null_argument("json");
        if (!has_ended(r)) return {MOG_ERROR_STATE, "the run has not ended"};
        Result<RunStats> stats = r.run->stats();
        if (!stats) return {MOG_ERROR_DEVICE, stats.error().text()};
        r.stats = stats_as_json(*stats);
        *json = r.stats.c_str();
        return done;
    });
}

mog_code mog_run_mpi_stats(mog_run *run, const char **json, mog_error *error) {
    return on_loaded(run, error, [&](mog_run &r) -> Failure {
        if (!json) return null_argument("json");
        if (!has_ended(r)) return {MOG_ERROR_STATE, "the run has not ended"};
        const mpi::Statistics *statistics = r.run->loop().mpi_statistics();
        if (!r.run->loop().has_called_mpi()) return {MOG_ERROR_STATE, "no PE has called a function of MPI"};
        if (!statistics) return {MOG_ERROR_STATE, "there are none without the setting \"mpi-stats\""};
        r.mpi_stats = statistics->as_json();
        *json = r.mpi_stats.c_str();
        return done;
    });
}

mog_code mog_run_free(mog_run *run) {
    if (!run) return MOG_OK;
    if (run->busy.test_and_set()) return MOG_ERROR_STATE;
    guarded(nullptr, [&]() -> Failure {
        leave_device(*run);
        return done;
    });
    delete run;
    return MOG_OK;
}

mog_code mog_memory_read(mog_memory *memory, const mog_piece *pieces, size_t count, mog_error *error) {
    return guarded(error, [&]() -> Failure {
        if (!memory) return null_argument("memory");
        if (Failure wrong = check_pieces(pieces, count); wrong.code != MOG_OK) return wrong;
        return failure_of(memory->memory.read({pieces, count}));
    });
}

mog_code mog_memory_write(mog_memory *memory, const mog_piece *pieces, size_t count, mog_error *error) {
    return guarded(error, [&]() -> Failure {
        if (!memory) return null_argument("memory");
        if (Failure wrong = check_pieces(pieces, count); wrong.code != MOG_OK) return wrong;
        return failure_of(memory->memory.write({pieces, count}));
    });
}
