// world_checkpoints.cpp: checkpoints of a world of several processes. Each has a file of its own, of which it writes what the file of a
// lone process has. At any time there is a checkpoint that all parts have: the last one stays, in the file or beside it, until all have
// written the next one and know so; then a new file takes its name. Nobody begins another one before.
#include <sys/random.h>

#include <chrono>

#include <fmt/format.h>

#include "runtime_host/checkpoint/checkpointer.hpp"
#include "runtime_host/mpi/engine.hpp"

namespace mog {

namespace {

using About = mpi::Marks::About;

/// How soon somebody looks whether a checkpoint is written.
constexpr double look_again = 0.01;

std::uint64_t number_of_life() {
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        number = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    return number;
}

}  // namespace

/// What all have said; nothing: the run is over.
Result<std::optional<mpi::Marks::Verdict>> Checkpointer::hear(mpi::Marks &marks, About about) {
    std::optional<mpi::Marks::Verdict> verdict;
    const Result<bool> over = loop_->serve_only_others([&] { return verdict || (verdict = marks.take_verdict(about)); });
    if (!over) return over.error();
    return verdict;
}

Result<bool> Checkpointer::run_in_world() {
    MOG_TRY(loop_->join_others());
    mpi::Marks &marks = loop_->engine().marks();
    // Files are cut where they were before anybody goes on and makes them longer.
    marks.say(About::Began, {});
    if (const auto began = hear(marks, About::Began); !began) return began.error();
    mpi::Marks::Mark mark{marks.leads() ? number_of_life() : 0, last_, false};
    const bool has_times = options_.every > 0 && marks.leads();
    const auto every = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.every));
    Clock::time_point due = Clock::now() + every;
    for (;;) {
        Stretch stretch;
        if (has_times && !marks.is_under_way()) stretch.seconds = std::max(0.0, std::chrono::duration<double>(due - Clock::now()).count());
        if (writer_) stretch.seconds = std::min(stretch.seconds, look_again);
        const Result<bool> ended = loop_->run_for(stretch);
        if (!ended) return ended;
        if (*ended) return end_world(marks);
        if (stop_.is_asked()) {
            stop_.forget();
            marks.want_last();
        }
        if (writer_ && writer_->is_done()) marks.say(About::Written, settle_writer());
        if (const auto verdict = marks.take_verdict(About::Written)) {
            settle_mark(verdict->is_yes);
            if (!verdict->is_yes && marks.leads()) tell(Error{verdict->why_not});
        }
        if (marks.leads() && !marks.is_under_way() && (marks.last_is_wanted() || (has_times && Clock::now() >= due))) {
            mark.number++;
            mark.is_last = marks.last_is_wanted();
            marks.begin(mark);
            due = Clock::now() + every;
        }
        if (!marks.asked()) continue;
        const Result<bool> stopped = come_to_mark(marks);
        if (!stopped) return stopped.error();
        if (*stopped) return false;
    }
}

/// True: it was the last one.
Result<bool> Checkpointer::come_to_mark(mpi::Marks &marks) {
    const Result<bool> over = loop_->serve_only_others([&] { return marks.is_there(); });
    if (!over) return over.error();
    if (*over) return false;
    const mpi::Marks::Mark mark = *marks.asked();
    part_ = {mark.life, marks.process(), marks.processes()};
    last_ = mark.number;
    marks.say(About::Taken, is_ended_by_limit() ? Error{"the run is about to end"} : write(mark.is_last));
    const auto taken = hear(marks, About::Taken);
    if (!taken) return taken.error();
    if (!*taken) return false;
    std::optional<mpi::Marks::Verdict> verdict = *taken;
    if (verdict->is_yes && !writer_) {
        marks.say(About::Written, {});
        if (mark.is_last) {
            const auto written = hear(marks, About::Written);
            if (!written) return written.error();
            if (!*written) return false;
            settle_mark((*written)->is_yes);
            verdict = *written;
        }
    }
    if (!verdict->is_yes) settle_mark(false);
    const bool is_told = marks.leads() && !verdict->is_yes;
    if (is_told && mark.is_last) say_(fmt::format("SIGTERM: {}; the run goes on, and another one ends it", verdict->why_not));
    else if (is_told) tell(Error{verdict->why_not});
    marks.leave();
    return mark.is_last && verdict->is_yes;
}

/// All have written it; or one has not, so that it does not count, and the next one is written anew, beside what did before.
void Checkpointer::settle_mark(bool counts) {
    if (!counts) {
        writer_.reset();
        is_whole_ = false;
        if (next_) next_->keep(false);
        next_.reset();
    }
    if (!next_) return;
    // Without its name it counts as well: whoever goes on finds it.
    const Result<void> named = next_->take_name();
    if (!named) tell(named.error());
    is_whole_ = bool(named);
    file_ = std::move(next_);
    first_bytes_ = file_->committed_bytes();
    reader_ = nullptr;
}

/// All PEs have ended, everywhere. The first one's file is removed first: where that is not, there is nothing to go on with.
Result<bool> Checkpointer::end_world(mpi::Marks &marks) {
    writer_.reset();
    marks.say(About::Ended, is_ended_by_limit() ? Error{"the run was ended"} : Result<void>());
    const auto ended = hear(marks, About::Ended);
    if (!ended) return ended.error();
    if (!*ended || !(*ended)->is_yes) return true;
    if (marks.leads()) remove_files();
    marks.say(About::Removed, {});
    const auto removed = hear(marks, About::Removed);
    if (!removed) return removed.error();
    if (!marks.leads()) remove_files();
    return true;
}

}  // namespace mog
