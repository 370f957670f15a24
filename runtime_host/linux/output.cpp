// output.cpp: line assembly.
#include "runtime_host/linux/output.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "support/files/files.hpp"
#include "support/patient_write.hpp"

namespace mog {

namespace {

/// One round may print more than memory should hold, a single call too.
constexpr std::size_t most_ready = 16 << 20;
/// What waits for lines like it, whether it is folded or not.
constexpr std::size_t most_collated = 32 << 20;

/// The standard streams of this process. Without a deadline a write may take as long as its reader likes.
class StandardStreams {
public:
    StandardStreams(std::shared_ptr<const Deadline> deadline, std::function<void(std::string_view)> say)
        : deadline_(std::move(deadline)), say_(std::move(say)) {}

    /// Writes all of it. Returns 0, or the errno that broke the stream; one other than that the reader left is told.
    int write(int stream, std::string_view bytes) {
        const int failed = deadline_->is_set() ? (stream == STDOUT_FILENO ? out_ : error_).write(bytes, [this](int fd) { return wait(fd); })
                                               : write_all(stream, bytes);
        if (failed == 0 || stream != STDOUT_FILENO || failed == EPIPE || failed == ECANCELED) return failed;
        say_(failed == ETIMEDOUT ? "standard output was not read in time: the rest of it is lost"
                                 : fmt::format("cannot write standard output: {}", std::strerror(failed)));
        return failed;
    }

private:
    static int write_all(int stream, std::string_view bytes) {
        while (!bytes.empty()) {
            ssize_t n = ::write(stream, bytes.data(), bytes.size());
            if (n >= 0) {
                bytes.remove_prefix(static_cast<std::size_t>(n));
            } else if (errno == EAGAIN) {
                struct pollfd wait {
                    stream, POLLOUT, 0
                };
                poll(&wait, 1, -1);
            } else if (errno != EINTR) {
                return errno;
            }
        }
        return 0;
    }

    /// Until the stream takes something. 0, or the errno with which the write ends.
    int wait(int fd) const {
        struct pollfd waits[] = {{fd, POLLOUT, 0}, {deadline_->cancel_fd(), POLLIN, 0}};
        const int found = poll(waits, 2, deadline_->milliseconds_for_output());
        if (waits[0].revents) return 0;
        if (deadline_->is_cancelled()) return ECANCELED;
        return found == 0 ? ETIMEDOUT : 0;
    }

    std::shared_ptr<const Deadline> deadline_;
    std::function<void(std::string_view)> say_;
    PatientWriter out_{STDOUT_FILENO}, error_{STDERR_FILENO};
};

}  // namespace

OutputConfig to_standard_streams(std::function<void(std::string_view)> say) {
    OutputConfig config;
    config.one_target = same_file(STDOUT_FILENO, STDERR_FILENO);
    config.deadline = std::make_shared<Deadline>();
    auto streams = std::make_shared<StandardStreams>(config.deadline, std::move(say));
    config.sink = [streams](int stream, std::string_view bytes) { return streams->write(stream, bytes); };
    return config;
}

Output::Output(OutputConfig config, std::uint32_t nproc, bool tag, std::uint32_t first_rank, std::optional<Collation> collation)
    : config_(std::move(config)), nproc_(nproc), first_rank_(first_rank), tag_(tag), lines_(nproc) {
    if (!collation || collation->world < 2) return;
    for (int i = 0; i < (config_.one_target ? 1 : 2); i++) collators_.emplace_back(*collation, nproc, first_rank);
    tag_ = true;
}

void Output::put(int stream, std::string_view bytes) {
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, most_ready);
        bytes.remove_prefix(part.size());
        ready_.append(part);
        if (!pieces_.empty() && pieces_.back().stream == stream) pieces_.back().size += part.size();
        else pieces_.push_back({stream, part.size()});
        if (ready_.size() > most_ready) send();
    }
}

std::string Output::take_unfinished(Lines &lines, int stream) {
    std::string taken = std::exchange(lines.unfinished[static_cast<std::size_t>(stream - 1)], {});
    unfinished_ -= taken.size();
    return taken;
}

/// Bytes of one PE that may go out now, with tags at the beginnings of lines.
void Output::emit(std::uint32_t rank, int stream, std::string_view bytes) {
    if (!tag_) {
        put(stream, bytes);
        return;
    }
    if (!collators_.empty()) {
        collator(stream).add(rank, stream, bytes);
        if (collator(stream).bytes() > most_collated) put_collated();
        return;
    }
    Lines &lines = *lines_[rank];
    bool &tagged = lines.tagged[static_cast<std::size_t>(stream - 1)];
    std::string tag = fmt::format("[{}] ", first_rank_ + rank);
    while (!bytes.empty()) {
        std::size_t end = bytes.find('\n');
        std::string_view line = bytes.substr(0, end == std::string_view::npos ? end : end + 1);
        if (!tagged) put(stream, tag);
        put(stream, line);
        tagged = end == std::string_view::npos;
        bytes.remove_prefix(line.size());
    }
}

int Output::write(std::uint32_t rank, int stream, std::string_view bytes) {
    const int failed = take(rank, stream, bytes);
    if (failed == 0 && config_.told) config_.told(rank, stream, bytes);
    return failed;
}

int Output::take(std::uint32_t rank, int stream, std::string_view bytes) {
    if (config_.by_pe) return config_.by_pe(rank, stream, bytes);
    std::size_t s = static_cast<std::size_t>(stream - 1);
    if (errors_[s]) return errors_[s];
    if (!holds_) return assemble(rank, stream, bytes);
    held_.push_back({rank, stream, held_bytes_.size(), bytes.size()});
    held_bytes_.append(bytes);
    if (held_bytes_.size() > most_ready) write_held();
    return 0;
}

void Output::release() {
    write_held();
    holds_ = false;
}

void Output::write_held() {
    std::ranges::stable_sort(held_, {}, &Held::rank);
    for (const Held &held : std::exchange(held_, {}))
        assemble(held.rank, held.stream, std::string_view(held_bytes_).substr(held.at, held.size));
    held_bytes_.clear();
    std::ranges::sort(ended_);
    for (const std::uint32_t rank : std::exchange(ended_, {})) put_unfinished(rank);
}

/// Finished lines are put out, an unfinished one is kept.
int Output::assemble(std::uint32_t rank, int stream, std::string_view bytes) {
    const std::size_t s = static_cast<std::size_t>(stream - 1);
    if (errors_[s]) return errors_[s];
    if (!lines_[rank]) lines_[rank] = std::make_unique<Lines>();
    Lines &lines = *lines_[rank];
    // On one terminal, what was printed first stands first, finished line or not.
    if (config_.one_target && !lines.unfinished[1 - s].empty()) emit(rank, 3 - stream, take_unfinished(lines, 3 - stream));
    std::size_t end = bytes.rfind('\n');
    if (end != std::string_view::npos) {
        std::string begun = take_unfinished(lines, stream);
        if (!begun.empty() && !collators_.empty()) {
            // What is folded in two pieces could become two lines.
            emit(rank, stream, begun.append(bytes.substr(0, end + 1)));
        } else {
            emit(rank, stream, begun);
            emit(rank, stream, bytes.substr(0, end + 1));
        }
        bytes.remove_prefix(end + 1);
    }
    if (lines.unfinished[s].size() + bytes.size() > longest_line || unfinished_ + bytes.size() > most_unfinished) {
        // What does not end goes out in pieces. The next PE's tag must find the beginning of a line.
        emit(rank, stream, take_unfinished(lines, stream));
        emit(rank, stream, bytes);
        if (tag_ && nproc_ > 1 && !bytes.empty()) emit(rank, stream, "\n");
    } else {
        lines.unfinished[s].append(bytes);
        unfinished_ += bytes.size();
    }
    if (nproc_ == 1) flush();
    return errors_[s];
}

void Output::put_collated() {
    for (Collator &collated : collators_) collated.take([this](int stream, std::string_view line) { put(stream, line); });
}

void Output::put_line(int stream, std::string_view line) {
    write_held();
    put_collated();
    put(stream, line);
    if (nproc_ == 1) flush();
}

void Output::finish_lines(std::uint32_t rank) {
    if (!holds_) put_unfinished(rank);
}

void Output::end_lines(std::uint32_t rank) {
    if (holds_) ended_.push_back(rank);
    else put_unfinished(rank);
}

void Output::put_unfinished(std::uint32_t rank) {
    if (!lines_[rank]) return;
    for (int stream : {1, 2}) {
        std::string line = take_unfinished(*lines_[rank], stream);
        // The next PE's tag must find the beginning of a line.
        if (tag_ && nproc_ > 1 && !line.empty()) line += '\n';
        emit(rank, stream, line);
    }
}

void Output::flush() {
    if (nproc_ == 1) finish_lines(0);
    put_collated();
    send();
}

void Output::end_round() {
    if (collators_.empty() || std::ranges::any_of(collators_, &Collator::is_due)) flush();
    else send();
}

void Output::send() {
    std::string ready = std::exchange(ready_, {});
    std::size_t at = 0;
    for (const Piece &piece : std::exchange(pieces_, {})) {
        int &error = errors_[static_cast<std::size_t>(piece.stream - 1)];
        if (!error) error = config_.sink(piece.stream, std::string_view(ready).substr(at, piece.size));
        has_taken_[static_cast<std::size_t>(piece.stream - 1)] |= error == 0;
        at += piece.size;
    }
    ready.clear();
    if (ready_.empty()) ready_ = std::move(ready);  // its room is used again
}

bool Output::is_sound() const {
    std::size_t unfinished = 0;
    for (const std::unique_ptr<Lines> &lines : lines_)
        if (lines) unfinished += lines->unfinished[0].size() + lines->unfinished[1].size();
    return lines_.size() == nproc_ && unfinished == unfinished_;
}

}  // namespace mog
