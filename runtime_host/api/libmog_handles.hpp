// libmog_handles.hpp: what stands behind the handles of mog.h, and what its functions have in common: errors as codes, and who may call
// when. For libmog.cpp and libmog_runs.cpp alone.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "assembler/image/image.hpp"
#include "runtime_host/include/mog.h"
#include "runtime_host/run/program_run.hpp"

namespace mog {

/// A program and what its runs leave to each other.
struct ProgramContent {
    Image image;
    std::string name = "program";  ///< argv[0] where nobody says another

    /// A device that has built its interpreter, and for what kind of runs.
    struct Idle {
        std::string key;
        std::unique_ptr<Device> device;
    };
    std::mutex mutex;
    std::vector<Idle> idle;
};

/// The outcome of a call, on its way to the caller.
struct Failure {
    mog_code code = MOG_OK;
    std::string text{};
};

const Failure done{};

inline Failure null_argument(std::string_view what) { return {MOG_ERROR_ARGUMENT, fmt::format("{} is NULL", what)}; }

/// The code, with the rest to where the caller wants it.
mog_code tell(const Failure &failure, mog_error *error);

/// The same without memory of its own.
inline mog_code tell(mog_code code, const char *text, mog_error *error) noexcept {
    if (!error) return code;
    error->code = code;
    std::strncpy(error->text, text, sizeof error->text - 1);
    error->text[sizeof error->text - 1] = 0;
    return code;
}

/// Nothing that is thrown leaves the library.
template <typename Body>
mog_code guarded(mog_error *error, Body body) noexcept {
    try {
        return tell(body(), error);
    } catch (const std::bad_alloc &) {
    } catch (const std::length_error &) {  // more than any memory could hold
    } catch (const std::system_error &e) {
        if (e.code() == std::errc::resource_unavailable_try_again)
            return tell(MOG_ERROR_MEMORY, "the system gives no memory for another thread, or allows none", error);
        return tell(MOG_ERROR_INTERNAL, e.what(), error);
    } catch (const std::exception &e) {
        return tell(MOG_ERROR_INTERNAL, e.what(), error);
    }
    return tell(MOG_ERROR_MEMORY, "there is not enough memory", error);
}

}  // namespace mog

struct mog_program {
    std::shared_ptr<mog::ProgramContent> content;
};

struct mog_memory {
    mog::PeMemory memory;
};

struct mog_run {
    std::shared_ptr<mog::ProgramContent> program;
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    std::atomic<std::uint32_t> pes = 1;
    mog::Cancel cancel;
    mog_run_state state = MOG_RUN_SETUP;

    mog::RunConfig config;
    mog::NativeFunctions natives;
    mog_output output = MOG_OUTPUT_KEEP;
    mog_output_function *on_output = nullptr;
    mog_log_function *on_log = nullptr;
    mog_progress_function *on_progress = nullptr;
    void *output_user = nullptr, *log_user = nullptr, *progress_user = nullptr;

    std::vector<std::array<std::string, 2>> kept;  ///< what PEs wrote, by stream
    std::unique_ptr<mog::ProgramRun> run;
    std::string device_key;
    std::string stats, mpi_stats;

    void log(std::string_view text) const {
        if (on_log) on_log(log_user, std::string(text).c_str());
    }
};

namespace mog {

/// Calls `body` while no other call is at work on the run.
template <typename Body>
mog_code on_run(mog_run *run, mog_error *error, Body body) noexcept {
    return guarded(error, [&]() -> Failure {
        if (!run) return null_argument("run");
        if (run->busy.test_and_set()) return {MOG_ERROR_STATE, "another call is at work on this run"};
        struct Leave {
            std::atomic_flag &busy;
            ~Leave() { busy.clear(); }
        } leave{run->busy};
        return body(*run);
    });
}

/// The same for what says how a run shall be.
template <typename Body>
mog_code on_setup(mog_run *run, mog_error *error, Body body) noexcept {
    return on_run(run, error, [&](mog_run &r) -> Failure {
        if (r.state != MOG_RUN_SETUP) return {MOG_ERROR_STATE, "the run is loaded: this has to be said before"};
        return body(r);
    });
}

/// The same for what needs loaded PEs.
template <typename Body>
mog_code on_loaded(mog_run *run, mog_error *error, Body body) noexcept {
    return on_run(run, error, [&](mog_run &r) -> Failure {
        if (!r.run) return {MOG_ERROR_STATE, "the run is not loaded yet"};
        if (Result<void> entered = r.run->device().enter_thread(); !entered) return {MOG_ERROR_DEVICE, entered.error().text()};
        return body(r);
    });
}

/// The same for what needs their memory.
template <typename Body>
mog_code on_memory(mog_run *run, mog_error *error, Body body) noexcept {
    return on_loaded(run, error, [&](mog_run &r) -> Failure {
        if (r.state == MOG_RUN_FAILED) return {MOG_ERROR_STATE, "the run has failed: its memory is lost"};
        return body(r);
    });
}

inline Failure no_such_pe(std::uint32_t pe, std::uint32_t pes) {
    return {MOG_ERROR_PE, pes == 1 ? fmt::format("there is no PE {}: the run has one, number 0", pe)
                                   : fmt::format("there is no PE {}: they are 0 to {}", pe, pes - 1)};
}

inline Failure check_pieces(const mog_piece *pieces, std::size_t count) { return count && !pieces ? null_argument("pieces") : done; }

}  // namespace mog
