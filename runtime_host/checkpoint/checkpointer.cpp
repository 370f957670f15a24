// checkpointer.cpp: see checkpointer.hpp.
#include "runtime_host/checkpoint/checkpointer.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/device/driver_signals.hpp"
#include "support/archive.hpp"

namespace mog {

namespace {

/// A file that has grown to so many times what it began with is written anew.
constexpr std::uint64_t most_growth = 3;
/// What a thread may have before it, of records that it has not written yet.
constexpr std::uint64_t most_waiting = 256u << 20;

// ---- SIGTERM ------------------------------------------------------------------------------------------------------------------

std::atomic<Cancel *> asked;
struct sigaction earlier_action;

/// The second one ends the process, as without us.
void on_termination(int) {
    clear_alignment_flag();
    sigaction(SIGTERM, &earlier_action, nullptr);
    if (Cancel *stop = asked) stop->ask();
}

/// From now on the first SIGTERM asks; one that is ignored stays so.
class Termination {
public:
    explicit Termination(Cancel &stop) {
        if (sigaction(SIGTERM, nullptr, &earlier_action) != 0 || earlier_action.sa_handler == SIG_IGN) return;
        asked = &stop;
        struct sigaction action {};
        action.sa_handler = on_termination;
        action.sa_flags = SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        is_taken_ = sigaction(SIGTERM, &action, nullptr) == 0;
    }
    Termination(const Termination &) = delete;
    Termination &operator=(const Termination &) = delete;
    ~Termination() {
        if (is_taken_) sigaction(SIGTERM, &earlier_action, nullptr);
        asked = nullptr;
    }

private:
    bool is_taken_ = false;
};

// ---- what is done, whoever does it ----------------------------------------------------------------------------------------------

/// What begins a checkpoint.
struct Beginning {
    std::vector<std::uint8_t> settings, state;
    std::vector<std::vector<std::uint8_t>> window{};
};

Result<void> append_beginning(CheckpointFile &file, const Beginning &beginning) {
    MOG_TRY(file.append(RecordType::Settings, beginning.settings));
    MOG_TRY(file.append(RecordType::State, beginning.state));
    for (const std::vector<std::uint8_t> &record : beginning.window) MOG_TRY(file.append(RecordType::Memory, record));
    return {};
}

/// Of several processes each gives the name when all have come so far.
Result<void> append_end(CheckpointFile &file, bool is_alone) {
    MOG_TRY(file.append(RecordType::End, {}));
    MOG_TRY(file.commit());
    return file.has_name() || !is_alone ? Result<void>() : file.take_name();
}

/// All of it.
Result<void> write_state(CheckpointFile &file, bool is_alone, const Beginning &beginning, const MemoryOfRun &memory, KnownPages &known) {
    MOG_TRY(append_beginning(file, beginning));
    MOG_TRY(collect_memory(memory, known, memory.device.memory_is_ours() ? 0 : 1,
                           [&](RecordType type, std::vector<std::uint8_t> bytes) { return file.append(type, bytes); }));
    return append_end(file, is_alone);
}

}  // namespace

/// A checkpoint that is written while the run goes on.
class Checkpointer::Writer {
public:
    virtual ~Writer() = default;
    virtual bool is_done() = 0;
    /// Waits until it is.
    virtual Result<void> result() = 0;
};

/// By a process that has this one's memory as it is now.
class Checkpointer::Fork final : public Writer {
public:
    /// Null: the system has no other process, so that this one has to write.
    static std::unique_ptr<Writer> start(std::initializer_list<int> keeps, const std::function<Result<void>()> &write) {
        std::unique_ptr<Fork> fork(new Fork);
        void *const told = mmap(nullptr, most_told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (told == MAP_FAILED) return nullptr;
        fork->told_ = static_cast<char *>(told);
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
        const OwnedFd out(ends[0]);
        OwnedFd in(ends[1]);
        const pid_t own = getpid();
        fork->pid_ = ::fork();
        if (fork->pid_ < 0) return nullptr;
        if (fork->pid_ == 0) fork->be_child(own, keeps, in.release(), write);
        // What PEs have open is open there, too, and a pipe's other end must not seem to be held by somebody.
        in = OwnedFd();
        char byte = 0;
        while (read(out.get(), &byte, 1) < 0 && errno == EINTR) continue;
        return fork;
    }
    ~Fork() override {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            wait(0);
        }
        if (told_) munmap(told_, most_told);
    }
    bool is_done() override { return pid_ <= 0 || wait(WNOHANG); }
    Result<void> result() override {
        while (pid_ > 0 && !wait(0)) continue;
        if (WIFEXITED(status_) && WEXITSTATUS(status_) == 0) return {};
        if (told_[0] != '\0') return Error{told_};
        return Error{"the process that wrote a checkpoint was ended"};
    }

private:
    static constexpr std::size_t most_told = 4096;

    bool wait(int how) {
        const pid_t ended = waitpid(pid_, &status_, how);
        if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
        pid_ = -1;
        return true;
    }

    [[noreturn]] void be_child(pid_t parent, std::initializer_list<int> keeps, int ready, const std::function<Result<void>()> &write) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
        std::vector<int> kept(keeps);
        std::ranges::sort(kept);
        unsigned next = 0;
        for (const int fd : kept) {
            if (fd > 0 && static_cast<unsigned>(fd) > next) close_range(next, static_cast<unsigned>(fd) - 1, 0);
            if (fd >= 0) next = static_cast<unsigned>(fd) + 1;
        }
        close_range(next, ~0u, 0);
        close(ready);  // where the system has no close_range()
        const Result<void> written = write();
        if (!written) std::strncpy(told_, written.error().text().c_str(), most_told - 1);
        _exit(written ? 0 : 1);
    }

    char *told_ = nullptr;
    pid_t pid_ = -1;
    int status_ = 0;
};

/// By a thread, which gets records as they are fetched.
class Checkpointer::Thread final : public Writer {
public:
    Thread(CheckpointFile &file, bool is_alone, Beginning beginning)
        : thread_([this, &file, is_alone, beginning = std::move(beginning)] {
              Result<void> done = append_beginning(file, beginning);
              while (done) {
                  const std::optional<Record> record = next();
                  if (!record) break;
                  done = file.append(record->type, record->bytes);
              }
              const std::lock_guard lock(mutex_);
              if (done && is_complete_) done = append_end(file, is_alone);
              result_ = done;
              is_done_ = true;
              changed_.notify_all();
          }) {}
    ~Thread() override {
        stop(false);
        if (thread_.joinable()) thread_.join();
    }

    Result<void> put(RecordType type, std::vector<std::uint8_t> bytes) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_done_ || waiting_ < most_waiting; });
        if (is_done_) return result_;
        waiting_ += bytes.size();
        records_.push_back({type, std::move(bytes)});
        changed_.notify_all();
        return {};
    }
    /// No more will come; `is_complete`: those were all.
    void stop(bool is_complete) {
        const std::lock_guard lock(mutex_);
        is_complete_ = is_complete_ || (is_complete && !is_stopped_);
        is_stopped_ = true;
        changed_.notify_all();
    }
    bool is_done() override {
        const std::lock_guard lock(mutex_);
        return is_done_;
    }
    Result<void> result() override {
        if (thread_.joinable()) thread_.join();
        return result_;
    }

private:
    struct Record {
        RecordType type;
        std::vector<std::uint8_t> bytes;
    };
    std::optional<Record> next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_stopped_ || !records_.empty(); });
        if (records_.empty() || (is_stopped_ && !is_complete_)) return {};
        Record record = std::move(records_.front());
        records_.pop_front();
        waiting_ -= record.bytes.size();
        changed_.notify_all();
        return record;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Record> records_;
    std::uint64_t waiting_ = 0;  ///< bytes
    bool is_stopped_ = false, is_complete_ = false, is_done_ = false;
    Result<void> result_{};
    std::thread thread_;  // uses all else
};

// ---- a run --------------------------------------------------------------------------------------------------------------------

Checkpointer::Checkpointer(const CheckpointOptions &options, std::filesystem::path place, std::filesystem::path program,
                           const CheckpointReader *reader, std::function<void(std::string_view)> say)
    : options_(options), program_(std::move(program)), place_(std::move(place)), reader_(reader), say_(std::move(say)) {
    if (!reader) return;
    last_ = reader->last_checkpoint();
    printed_ = reader->printed();
}

Checkpointer::~Checkpointer() = default;

OutputConfig Checkpointer::counting(OutputConfig output) {
    output.sink = [this, sink = std::move(output.sink)](int stream, std::string_view bytes) {
        const int failed = sink(stream, bytes);
        printed_.bytes[static_cast<std::size_t>(stream - 1)] += failed == 0 ? bytes.size() : 0;
        for (CheckpointFile *const file : {file_.get(), next_.get()})
            if (file) file->printed() = printed_;
        return failed;
    };
    return output;
}

Result<bool> Checkpointer::run(ServiceLoop &loop, Device &device, const Image &image, const RunConfig &config) {
    loop_ = &loop;
    config_ = &config;
    memory_.emplace(MemoryOfRun{device, image, loop.population()});
    MOG_TRY(check_run(config, StateMemory::Apart));
    Result<KnownPages> known = KnownPages::make(config);
    if (!known) return known.error();
    known_.emplace(*std::move(known));
    Result<std::unique_ptr<FileJournal>> journal = FileJournal::create(place_, loop.files().paths());
    if (journal) {
        journal_ = *std::move(journal);
        journal_->begin(last_);
        loop.files().tell_changes(journal_.get());
    } else {
        tell(journal.error());
    }
    const Termination termination(stop_);
    is_alone_ = !config.bridge;
    return is_alone_ ? run_alone() : run_in_world();
}

Result<bool> Checkpointer::run_alone() {
    ServiceLoop &loop = *loop_;
    const bool has_times = options_.every > 0;
    const auto every = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.every));
    Clock::time_point due = Clock::now() + every;
    for (;;) {
        Stretch stretch;
        if (has_times) stretch.seconds = std::max(0.0, std::chrono::duration<double>(due - Clock::now()).count());
        const Result<bool> ended = loop.run_for(stretch);
        if (!ended) return ended;
        if (*ended) {
            end();
            return true;
        }
        if (stop_.is_asked()) {
            stop_.forget();
            const Result<void> written = write(true);
            if (written) return false;
            say_(fmt::format("SIGTERM: {}; the run goes on, and another one ends it", written.error().text()));
        } else if (has_times && Clock::now() >= due) {
            // One that is not through yet is as good as another.
            if (!writer_ || writer_->is_done())
                if (Result<void> written = write(false); !written) tell(written.error());
            due = Clock::now() + every;
        }
    }
}

/// What cannot be written is told once, and the run goes on.
void Checkpointer::tell(const Error &error) {
    if (error.text() != told_) say_(fmt::format("no checkpoint: {}", error.text()));
    told_ = error.text();
}

/// Waits until it has written.
Result<void> Checkpointer::settle_writer() {
    const Result<void> written = writer_->result();
    writer_.reset();
    CheckpointFile &file = next_ ? *next_ : *file_;
    is_whole_ = written && file.look(last_, is_alone_);
    file.keep(is_whole_);
    return written;
}

/// The one that is on its way is there, or is not.
void Checkpointer::wait_for_writer() {
    if (!writer_) return;
    const Result<void> written = settle_writer();
    if (!written) tell(written.error());
    if (is_whole_ && next_) {
        file_ = std::move(next_);
        first_bytes_ = file_->committed_bytes();
        reader_ = nullptr;
    }
    next_.reset();
}

Result<void> Checkpointer::write(bool is_last) {
    wait_for_writer();
    std::ostringstream state;
    MOG_TRY(loop_->write_state(state, StateMemory::Apart));
    CheckpointSettings settings = settings_of(*config_);
    settings.program = program_.string();
    settings.printed = printed_;
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
        settings.streams[static_cast<std::size_t>(stream - 1)] = place_of_stream(stream);
    ArchiveWriter archive;
    archive(settings);
    const std::string text = std::move(state).str();
    Result<void> begun = begin(is_last, archive.take(), {text.begin(), text.end()});
    if (!begun) {
        is_whole_ = false;
        next_.reset();
    }
    return begun;
}

Result<void> Checkpointer::begin(bool is_last, std::vector<std::uint8_t> settings, std::vector<std::uint8_t> state) {
    if (!is_whole_ || file_->committed_bytes() > most_growth * first_bytes_) {
        Result<std::unique_ptr<CheckpointFile>> made = CheckpointFile::create(place_, part_);
        if (!made) return made.error();
        next_ = *std::move(made);
        known_->forget();
    }
    CheckpointFile &file = next_ ? *next_ : *file_;
    file.printed() = printed_;
    if (is_alone_) ++last_;
    file.begin(last_);
    if (journal_) journal_->begin(last_);
    is_whole_ = false;
    Beginning beginning{std::move(settings), std::move(state)};
    MOG_TRY(collect_window(*memory_, *known_, [&](RecordType, std::vector<std::uint8_t> bytes) -> Result<void> {
        beginning.window.push_back(std::move(bytes));
        return {};
    }));
    if (!is_last && memory_->device.memory_is_ours()) {
        // The lock on the file that has the name is held as long as somebody may put another one in its place.
        writer_ = Fork::start({file.fd(), file.folder(), file_ ? file_->fd() : -1, reader_ ? reader_->fd() : -1},
                              [&] { return write_state(file, is_alone_, beginning, *memory_, *known_); });
        if (writer_) return {};
    }
    if (is_last || memory_->device.memory_is_ours()) {
        MOG_TRY(write_state(file, is_alone_, beginning, *memory_, *known_));
        is_whole_ = true;
        file.keep(true);
        if (!is_alone_) return {};
        if (next_) file_ = std::move(next_);
        first_bytes_ = file_->committed_bytes();
        return {};
    }
    auto thread = std::make_unique<Thread>(file, is_alone_, beginning);
    const Result<void> collected = collect_memory(
        *memory_, *known_, 1, [&](RecordType type, std::vector<std::uint8_t> bytes) { return thread->put(type, std::move(bytes)); });
    thread->stop(bool(collected));
    writer_ = std::move(thread);
    return collected;
}

/// Of this run, which another one need not have.
bool Checkpointer::is_ended_by_limit() const {
    const auto is_limit = [](const PeEnd &end) {
        return end.by == EndedBy::Timeout || end.by == EndedBy::Cancel || end.by == EndedBy::Fuel;
    };
    return std::ranges::any_of(loop_->population().ends, is_limit);
}

/// The program has ended, and nothing is left to go on with; unless a limit of this run has ended it.
void Checkpointer::end() {
    if (is_ended_by_limit()) return wait_for_writer();
    writer_.reset();
    remove_files();
}

void Checkpointer::remove_files() {
    if (journal_) journal_->remove();
    if (file_ || (next_ && next_->is_in_place()) || (reader_ && reader_->place() == place_)) std::filesystem::remove(place_);
    // Nobody goes on from it, even if it is whole: the run has ended before all knew that.
    if (next_) next_->keep(false);
    next_.reset();
}

}  // namespace mog
