// output.cpp: line assembly.
#include "runtime_host/output.hpp"

#include <utility>

#include <fmt/format.h>

namespace mog {

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
    std::string tag = fmt::format("[{}] ", rank);
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
