// settings.cpp: see settings.hpp.
#include "runtime_host/checkpoint/settings.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "runtime_host/devices/slots/slotted_device.hpp"
#include "support/archive.hpp"

namespace mog {

CheckpointSettings settings_of(const RunConfig &config) {
    CheckpointSettings settings;
    std::error_code failed;
    settings.arguments = config.arguments ? *config.arguments : std::vector<std::string>();
    settings.folder = std::filesystem::current_path(failed).string();
    Options &options = settings.options = config.options;
    options.nproc = config.nproc;
    options.threads = config.threads;
    options.memory = config.data_bytes();
    options.window = config.window_bytes;
    if (config.sweep) {
        settings.sweep = *config.sweep;
        settings.environment = config.environment ? *config.environment : std::vector<std::string>();
        options.nproc = config.slots->slots();
        options.sweep.runs = config.nproc;  // -n is how many there are at a time
    }
    if (!options.files.root.empty()) options.files.root = std::filesystem::absolute(options.files.root, failed).string();
    return settings;
}

StreamPlace place_of_stream(int stream) {
    struct stat status {};
    const int flags = fcntl(stream, F_GETFL);
    if (flags < 0 || fstat(stream, &status) != 0 || !S_ISREG(status.st_mode)) return {};
    const std::int64_t at = (flags & O_APPEND) != 0 ? status.st_size : lseek(stream, 0, SEEK_CUR);
    return {at >= 0, status.st_dev, status.st_ino, at};
}

Result<CheckpointSettings> read_settings(const CheckpointReader &reader, Options options) {
    const Result<std::vector<std::uint8_t>> bytes = reader.bytes(*reader.last(RecordType::Settings));
    if (!bytes) return bytes.error();
    CheckpointSettings settings;
    settings.options = std::move(options);
    ArchiveReader archive(*bytes);
    archive(settings);
    const Options &read = settings.options;
    if (!archive.is_done() || settings.arguments.empty() || read.nproc == 0 || read.doubles > Doubles::Soft ||
        read.stdin_mode > FileSystem::Stdin::None || settings.sweep.has_value() == read.sweep.is_empty() ||
        (settings.sweep && !settings.sweep->is_sound()) || !(read.timeout >= 0) || !(read.checkpoint.every >= 0))
        return Error{fmt::format("the checkpoint {} is damaged: what it says of its run does not fit together", reader.place().string())};
    return settings;
}

namespace {

constexpr std::string_view names[] = {"standard output", "standard error"};

/// True: its file is cut, so that nothing that was printed comes twice.
Result<bool> cut_stream(int stream, const StreamPlace &place) {
    const StreamPlace now = place_of_stream(stream);
    if (!place.is_file || !now.is_file || now.device != place.device || now.inode != place.inode) return false;
    struct stat status {};
    if (fstat(stream, &status) != 0 || status.st_size < place.at) return false;
    if (ftruncate(stream, place.at) != 0 || lseek(stream, place.at, SEEK_SET) < 0)
        return Error{fmt::format("{} cannot be cut to the {} bytes that it had at the checkpoint: {}", names[stream - 1], place.at,
                                 std::strerror(errno))};
    return true;
}

}  // namespace

Result<void> restore_streams(const CheckpointReader &reader, const CheckpointSettings &settings,
                             const std::function<void(std::string_view)> &say) {
    // Both may be the same file, and then the later place is theirs.
    std::array<StreamPlace, 2> places = settings.streams;
    if (places[0].is_file && places[1].is_file && places[0].device == places[1].device && places[0].inode == places[1].inode)
        places[0].at = places[1].at = std::max(places[0].at, places[1].at);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
        const auto i = static_cast<std::size_t>(stream - 1);
        const Result<bool> cut = cut_stream(stream, places[i]);
        if (!cut) return cut.error();
        const std::uint64_t before = settings.printed.bytes[i], all = reader.printed().bytes[i];
        if (!*cut && all > before)
            say(fmt::format("{} bytes that were printed on {} after the checkpoint cannot be taken back: they come again", all - before,
                            names[i]));
    }
    return {};
}

}  // namespace mog
