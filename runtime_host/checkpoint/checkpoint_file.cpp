// checkpoint_file.cpp: see checkpoint_file.hpp.
#include "runtime_host/checkpoint/checkpoint_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "runtime_host/checkpoint/block_hash.hpp"

namespace mog {

namespace {

constexpr std::string_view magic = "MOGCKPT";
constexpr std::uint32_t version = 2;
constexpr const char *without_name = ".new";
constexpr std::uint64_t header_bytes = 4096;
/// A level more takes nearly twice as long for what hardly compresses, and makes a tenth less of it (bench/checkpoints/run).
constexpr int level = -1;
constexpr std::uint64_t most_record = std::uint64_t{1} << 31;

/// Up to where the file is whole. There are two, of which the one with the greater number counts: while one is written, the other one
/// stays.
struct Mark {
    std::uint64_t checkpoint = 0, bytes = 0, hash = 0;
    std::uint64_t own_hash() const { return block_hash({reinterpret_cast<const std::uint8_t *>(this), offsetof(Mark, hash)}); }
};
struct Header {
    std::array<char, 8> name{};
    std::uint32_t version = 0, head_bytes = 0;
    std::array<Mark, 2> marks{};
    Printed printed;
    PartOfWorld part;
};
static_assert(sizeof(Header) <= header_bytes);

std::uint64_t hash_of(const RecordHead &head) {
    return block_hash({reinterpret_cast<const std::uint8_t *>(&head), offsetof(RecordHead, head_hash)});
}

bool write_at(int fd, std::span<const std::uint8_t> bytes, std::uint64_t at) {
    while (!bytes.empty()) {
        const ssize_t n = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(n));
        at += static_cast<std::uint64_t>(n);
    }
    return true;
}

bool read_at(int fd, std::span<std::uint8_t> bytes, std::uint64_t at) {
    while (!bytes.empty()) {
        const ssize_t n = pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(n));
        at += static_cast<std::uint64_t>(n);
    }
    return true;
}

struct Compressor {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    std::vector<std::uint8_t> room;
    Compressor() = default;
    Compressor(const Compressor &) = delete;
    Compressor &operator=(const Compressor &) = delete;
    ~Compressor() { ZSTD_freeCCtx(context); }
};

}  // namespace

// ---- writing ------------------------------------------------------------------------------------------------------------------

std::filesystem::path place_of_part(const std::filesystem::path &checkpoint, std::uint32_t process) {
    return fmt::format("{}.{}", checkpoint.string(), process);
}

Result<std::unique_ptr<CheckpointFile>> CheckpointFile::create(const std::filesystem::path &place, const PartOfWorld &part) {
    std::unique_ptr<CheckpointFile> made(new CheckpointFile);
    made->place_ = place;
    const std::string folder = place.has_parent_path() ? place.parent_path().string() : ".";
    made->folder_ = OwnedFd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!made->folder_) return made->failed("made").error();
    made->temporary_ = place.filename().string() + without_name;
    const char *const name = made->temporary_.c_str();
    const auto make = [&] { return OwnedFd(openat(made->folder_.get(), name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)); };
    made->file_ = make();
    if (!made->file_ && errno == EEXIST) {
        // A run that was killed has left it; or one that goes on writes it.
        const OwnedFd left(openat(made->folder_.get(), name, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
        if (left && flock(left.get(), LOCK_EX | LOCK_NB) != 0)
            return Error{fmt::format("the checkpoint {} is in use: another run writes it", place.string())};
        unlinkat(made->folder_.get(), name, 0);
        made->file_ = make();
    }
    if (!made->file_) return made->failed("made").error();
    if (flock(made->file_.get(), LOCK_EX | LOCK_NB) != 0 || ftruncate(made->file_.get(), static_cast<off_t>(header_bytes)) != 0)
        return made->failed("made").error();
    void *const header = mmap(nullptr, header_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, made->file_.get(), 0);
    if (header == MAP_FAILED) return made->failed("made").error();
    made->header_ = header;
    auto &fresh = *new (header) Header;
    std::ranges::copy(magic, fresh.name.begin());
    fresh.version = version;
    fresh.head_bytes = sizeof(RecordHead);
    fresh.part = part;
    made->committed_ = made->end_ = header_bytes;
    return made;
}

CheckpointFile::~CheckpointFile() {
    if (!has_name_ && !is_kept_ && file_) unlinkat(folder_.get(), temporary_.c_str(), 0);
    if (header_) munmap(header_, header_bytes);
}

Result<void> CheckpointFile::failed(const char *what) const {
    return Error{fmt::format("the checkpoint {} cannot be {}: {}", place_.string(), what, std::strerror(errno))};
}

Printed &CheckpointFile::printed() { return static_cast<Header *>(header_)->printed; }

void CheckpointFile::begin(std::uint32_t checkpoint) {
    checkpoint_ = checkpoint;
    end_ = committed_;
}

Result<void> CheckpointFile::append(RecordType type, std::span<const std::uint8_t> bytes) {
    thread_local Compressor compressor;
    compressor.room.resize(sizeof(RecordHead) + ZSTD_compressBound(bytes.size()));
    const std::span<std::uint8_t> room = std::span(compressor.room).subspan(sizeof(RecordHead));
    const std::size_t stored = ZSTD_compressCCtx(compressor.context, room.data(), room.size(), bytes.data(), bytes.size(), level);
    if (ZSTD_isError(stored))
        return Error{fmt::format("the checkpoint {} cannot be compressed: {}", place_.string(), ZSTD_getErrorName(stored))};
    RecordHead head{type, checkpoint_, bytes.size(), stored, block_hash(room.first(stored)), 0};
    head.head_hash = hash_of(head);
    std::memcpy(compressor.room.data(), &head, sizeof head);
    const std::uint64_t at = end_.fetch_add(sizeof head + stored);
    if (!write_at(file_.get(), std::span(compressor.room).first(sizeof head + stored), at)) return failed("written");
    return {};
}

Result<void> CheckpointFile::commit() {
    if (ftruncate(file_.get(), static_cast<off_t>(end_.load())) != 0 || fdatasync(file_.get()) != 0) return failed("written");
    Header &header = *static_cast<Header *>(header_);
    Mark mark{checkpoint_, end_, 0};
    mark.hash = mark.own_hash();
    header.marks[checkpoint_ % 2] = mark;
    if (msync(header_, header_bytes, MS_SYNC) != 0 || fdatasync(file_.get()) != 0) return failed("written");
    committed_ = end_;
    return {};
}

Result<void> CheckpointFile::take_name() {
    if (renameat(folder_.get(), temporary_.c_str(), folder_.get(), place_.filename().c_str()) != 0) return failed("put in its place");
    has_name_ = true;
    fsync(folder_.get());
    return {};
}

bool CheckpointFile::is_in_place() const {
    struct stat own {
    }, there{};
    return fstat(file_.get(), &own) == 0 && fstatat(folder_.get(), place_.filename().c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

bool CheckpointFile::look(std::uint32_t checkpoint, bool has_name) {
    const Mark mark = static_cast<Header *>(header_)->marks[checkpoint % 2];
    if (mark.checkpoint != checkpoint || mark.hash != mark.own_hash()) return false;
    committed_ = end_ = mark.bytes;
    has_name_ = has_name_ || has_name;
    return true;
}

// ---- reading ------------------------------------------------------------------------------------------------------------------

std::filesystem::path CheckpointReader::file_name() const {
    return which_ == Which::New ? place_.string() + without_name : place_.string();
}

/// Nobody else has it. False: it is not there.
Result<bool> CheckpointReader::lock() {
    using namespace std::chrono_literals;
    // A run that was killed a moment ago may have left a process that is just ending.
    constexpr std::chrono::milliseconds patience = 5s, turn = 20ms;
    const std::string name = file_name().string();
    for (std::chrono::milliseconds waited{};; waited += turn) {
        file_ = OwnedFd(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
        if (!file_ && errno == ENOENT) return false;
        if (!file_) return Error{fmt::format("the checkpoint {} cannot be read: {}", name, std::strerror(errno))};
        struct stat own {
        }, there{};
        if (fstat(file_.get(), &own) != 0 || !S_ISREG(own.st_mode)) return Error{fmt::format("{} is no checkpoint of MOG", name)};
        if (flock(file_.get(), LOCK_EX | LOCK_NB) == 0 && stat(name.c_str(), &there) == 0 && there.st_ino == own.st_ino &&
            there.st_dev == own.st_dev)
            return true;
        if (waited >= patience) return Error{fmt::format("the checkpoint {} is in use: a run goes on that writes it", name)};
        std::this_thread::sleep_for(turn);
    }
}

Result<std::unique_ptr<CheckpointReader>> CheckpointReader::open(const std::filesystem::path &place) {
    std::unique_ptr<CheckpointReader> reader(new CheckpointReader);
    reader->place_ = place;
    const Result<bool> locked = reader->lock();
    if (!locked) return locked.error();
    std::error_code failed;
    if (!*locked && std::filesystem::exists(place_of_part(place, 0), failed))
        return Error{fmt::format("the checkpoint {} is one of several processes: mpirun has to start as many with --resume={}",
                                 place.string(), place.string())};
    if (!*locked)
        return Error{
            fmt::format("there is no checkpoint {}: none was written yet, or the run has ended, which removes it", place.string())};
    MOG_TRY(reader->read_header());
    if (reader->part_.processes != 1)
        return Error{
            fmt::format("{} is a part of the checkpoint of {} processes: mpirun has to start as many, with its name without the "
                        "number at its end",
                        place.string(), reader->part_.processes)};
    if (reader->whole_.empty()) return reader->damaged("its header says of no checkpoint that it is whole");
    MOG_TRY(reader->choose(reader->whole_.back().checkpoint));
    return reader;
}

Result<std::unique_ptr<CheckpointReader>> CheckpointReader::look(const std::filesystem::path &place, Which which) {
    std::unique_ptr<CheckpointReader> reader(new CheckpointReader);
    reader->place_ = place;
    reader->which_ = which;
    const Result<bool> locked = reader->lock();
    if (!locked) return locked.error();
    if (!*locked) return std::unique_ptr<CheckpointReader>();
    // Of a new one not even the header may be whole.
    const Result<void> read = reader->read_header();
    if (!read && which == Which::Named) return read.error();
    if (!read || reader->whole_.empty()) reader.reset();
    return reader;
}

std::vector<std::uint32_t> CheckpointReader::whole() const {
    std::vector<std::uint32_t> numbers;
    for (const Whole &one : whole_) numbers.push_back(one.checkpoint);
    return numbers;
}

Result<void> CheckpointReader::choose(std::uint32_t checkpoint) {
    const auto found = std::ranges::find(whole_, checkpoint, &Whole::checkpoint);
    if (found == whole_.end()) return damaged("a checkpoint is not there any more");
    last_ = checkpoint;
    committed_ = found->bytes;
    return read_heads();
}

Result<void> CheckpointReader::take_name() {
    if (which_ == Which::Named) return {};
    if (std::rename(file_name().c_str(), place_.c_str()) != 0)
        return Error{fmt::format("the checkpoint {} cannot be put in its place: {}", file_name().string(), std::strerror(errno))};
    which_ = Which::Named;
    return {};
}

Error CheckpointReader::damaged(std::string_view what) const {
    return Error{fmt::format("the checkpoint {} is damaged: {}", file_name().string(), what)};
}

Result<void> CheckpointReader::read_header() {
    Header header;
    if (!read_at(file_.get(), {reinterpret_cast<std::uint8_t *>(&header), sizeof header}, 0) ||
        !std::ranges::equal(magic, std::span(header.name).first(magic.size())))
        return Error{fmt::format("{} is no checkpoint of MOG", file_name().string())};
    if (header.version != version || header.head_bytes != sizeof(RecordHead))
        return Error{
            fmt::format("the checkpoint {} is of version {}, and this MOG reads {}", file_name().string(), header.version, version)};
    for (const Mark &mark : header.marks)
        if (mark.hash == mark.own_hash() && mark.checkpoint != 0 && mark.checkpoint <= UINT32_MAX)
            whole_.push_back({static_cast<std::uint32_t>(mark.checkpoint), mark.bytes});
    std::ranges::sort(whole_, {}, &Whole::checkpoint);
    printed_ = header.printed;
    part_ = header.part;
    return {};
}

Result<void> CheckpointReader::read_heads() {
    std::uint32_t open = 0;  // the checkpoint whose end has not come
    for (std::uint64_t at = header_bytes; at < committed_;) {
        Record record;
        if (committed_ - at < sizeof record.head ||
            !read_at(file_.get(), {reinterpret_cast<std::uint8_t *>(&record.head), sizeof record.head}, at))
            return damaged("it ends too early");
        const RecordHead &head = record.head;
        if (head.head_hash != hash_of(head)) return damaged(fmt::format("the head of the record at byte {} is not what was written", at));
        record.at = at + sizeof head;
        if (head.stored > committed_ - record.at || head.size > most_record || head.checkpoint > last_)
            return damaged("a record is longer than the file");
        open = head.type == RecordType::End ? 0 : head.checkpoint;
        at = record.at + head.stored;
        records_.push_back(record);
    }
    if (open != 0 || !last(RecordType::End) || !last(RecordType::Settings) || !last(RecordType::State))
        return damaged("the last checkpoint is not whole");
    return {};
}

const CheckpointReader::Record *CheckpointReader::last(RecordType type) const {
    for (auto record = records_.rbegin(); record != records_.rend() && record->head.checkpoint == last_; ++record)
        if (record->head.type == type) return &*record;
    return nullptr;
}

Result<std::vector<std::uint8_t>> CheckpointReader::stored(const Record &record) const {
    std::vector<std::uint8_t> stored(record.head.stored);
    if (!read_at(file_.get(), stored, record.at)) return damaged("it ends too early");
    if (block_hash(stored) != record.head.checksum) return damaged(fmt::format("the record at byte {} is not what was written", record.at));
    return stored;
}

Result<void> CheckpointReader::verify(const Record &record) const {
    const Result<std::vector<std::uint8_t>> whole = stored(record);
    return whole ? Result<void>() : whole.error();
}

Result<std::vector<std::uint8_t>> CheckpointReader::bytes(const Record &record) const {
    const Result<std::vector<std::uint8_t>> whole = stored(record);
    if (!whole) return whole.error();
    std::vector<std::uint8_t> bytes(record.head.size);
    const std::size_t size = ZSTD_decompress(bytes.data(), bytes.size(), whole->data(), whole->size());
    if (ZSTD_isError(size) || size != bytes.size()) return damaged(fmt::format("the record at byte {} cannot be decompressed", record.at));
    return bytes;
}

}  // namespace mog
