// output.cpp: line assembly.
#include "runtime_host/output.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace mog {

namespace {

/// Writes all of it. Returns 0, or the errno that broke the stream; one other than that the reader left is told.
int write_all(int stream, std::string_view bytes, const std::function<void(std::string_view)> &say) {
    while (!bytes.empty()) {
        ssize_t n = write(stream, bytes.data(), bytes.size());
        if (n >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EAGAIN) {
            struct pollfd wait {
                stream, POLLOUT, 0
            };
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            const int failed = errno;
            if (failed != EPIPE && stream == STDOUT_FILENO)
                say(fmt::format("cannot write standard output: {}", std::strerror(failed)));
            return failed;
        }
    }
    return 0;
}

bool same_file(int a, int b) {
    struct stat x, y;
    return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

}  // namespace

OutputConfig to_standard_streams(std::function<void(std::string_view)> say) {
    OutputConfig config;
    config.one_target = same_file(STDOUT_FILENO, STDERR_FILENO);
    config.sink = [say = std::move(say)](int stream, std::string_view bytes) { return write_all(stream, bytes, say); };
    return config;
}

Output::Output(OutputConfig config) : config_(std::move(config)), lines_(config_.nproc) {}

void Output::put(int stream, std::string_view bytes) {
    if (bytes.empty()) return;
    ready_.append(bytes);
    if (!pieces_.empty() && pieces_.back().stream == stream)
        pieces_.back().size += bytes.size();
    else
        pieces_.push_back({stream, bytes.size()});
    // One round may print more than memory should hold.
    if (ready_.size() > (std::size_t{16} << 20)) flush();
}

/// Bytes of one PE that may go out now, with tags at the beginnings of lines.
void Output::emit(std::uint32_t rank, int stream, std::string_view bytes) {
    if (!config_.tag) {
        put(stream, bytes);
        return;
    }
    Lines &lines = *lines_[rank];
    bool &tagged = lines.tagged[static_cast<std::size_t>(stream - 1)];
    std::string tag = fmt::format("[{}] ", config_.first_rank + rank);
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
    if (config_.by_pe) return config_.by_pe(rank, stream, bytes);
    std::size_t s = static_cast<std::size_t>(stream - 1);
    if (errors_[s]) return errors_[s];
    if (!lines_[rank]) lines_[rank] = std::make_unique<Lines>();
    Lines &lines = *lines_[rank];
    // On one terminal, what was printed first stands first, finished line or not.
    if (config_.one_target && !lines.unfinished[1 - s].empty())
        emit(rank, 3 - stream, std::exchange(lines.unfinished[1 - s], {}));
    std::size_t end = bytes.rfind('\n');
    if (end != std::string_view::npos) {
        emit(rank, stream, std::exchange(lines.unfinished[s], {}));
        emit(rank, stream, bytes.substr(0, end + 1));
        bytes.remove_prefix(end + 1);
    }
    lines.unfinished[s].append(bytes);
    if (config_.nproc == 1) flush();
    return errors_[s];
}

void Output::put_line(int stream, std::string_view line) {
    put(stream, line);
    if (config_.nproc == 1) flush();
}

void Output::finish_lines(std::uint32_t rank) {
    if (!lines_[rank]) return;
    for (int stream : {1, 2}) {
        std::string line = std::exchange(lines_[rank]->unfinished[static_cast<std::size_t>(stream - 1)], {});
        // The next PE's tag must find the beginning of a line.
        if (config_.tag && config_.nproc > 1 && !line.empty()) line += '\n';
        emit(rank, stream, line);
    }
}

void Output::flush() {
    if (config_.nproc == 1) finish_lines(0);
    std::string ready = std::exchange(ready_, {});
    std::size_t at = 0;
    for (const Piece &piece : std::exchange(pieces_, {})) {
        int &error = errors_[static_cast<std::size_t>(piece.stream - 1)];
        if (!error) error = config_.sink(piece.stream, std::string_view(ready).substr(at, piece.size));
        at += piece.size;
    }
    ready.clear();
    if (ready_.empty()) ready_ = std::move(ready);  // its room is used again
}

}  // namespace mog
