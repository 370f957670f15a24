// recording_file.cpp
#include "runtime_host/replay/recording_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "support/archive.hpp"
#include "support/files/files.hpp"
#include "support/files/hash.hpp"

namespace mog {

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr std::array<u8, 8> magic = {'M', 'O', 'G', 'R', 'E', 'C', 'R', 'D'};
constexpr u32 version = 2;
constexpr int level = 1;  // as fast as it can be: PEs wait
/// No section has more: whoever reads a damaged file does not take the memory that a made-up length wants.
constexpr u64 most_bytes = u64{1} << 33;

enum SectionType : u32 { head_section = 1, entries_section, end_section };

struct SectionHead {
    u32 type = 0, rank = 0;
    u64 size = 0, stored = 0, checksum = 0;
    static void carry(auto &self, auto &archive) { archive(self.type, self.rank, self.size, self.stored, self.checksum); }
};
constexpr std::size_t section_head_bytes = 2 * sizeof(u32) + 3 * sizeof(u64);

/// Of the bytes as they are stored, and of what stands before them.
u64 checksum_of(const SectionHead &head, std::span<const u8> stored) {
    ArchiveWriter fields;
    fields(head.type, head.rank, head.size, head.stored);
    return fnv1a(stored, fnv1a(fields.bytes()));
}

bool read_at(int fd, std::span<u8> bytes, u64 at) {
    while (!bytes.empty()) {
        const ssize_t n = pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(n));
        at += static_cast<u64>(n);
    }
    return true;
}

}  // namespace

// ---- entries: numbers in groups of seven bits, the lowest first --------------------------------------------------------------

void RecordedEntries::number(u64 value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<u8>(value | 0x80));
    bytes_.push_back(static_cast<u8>(value));
}

void RecordedEntries::put(std::span<const u8> bytes) {
    number(bytes.size());
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void RecordedEntries::call(u32 place, u32 call_number, u32 info, std::span<const u32> arguments) {
    begin(RecordedKind::Call);
    number(place);
    number(call_number);
    number(info);
    number(arguments.size());
    for (const u32 argument : arguments) number(argument);
}

void RecordedEntries::fault(u32 place, u32 why) {
    begin(RecordedKind::Fault);
    number(place);
    number(why);
}

void RecordedEntries::answer(u32 value, bool failed) {
    begin(failed ? RecordedKind::Failed : RecordedKind::Answer);
    number(value);
}

void RecordedEntries::memory(u32 address, std::span<const u8> bytes) {
    begin(RecordedKind::Memory);
    number(address);
    put(bytes);
}

void RecordedEntries::state(u32 row, u32 value) {
    begin(RecordedKind::State);
    number(row);
    number(value);
}

void RecordedEntries::late() { begin(RecordedKind::Late); }

void RecordedEntries::printed(int stream, u32 count, u64 hash) {
    begin(RecordedKind::Printed);
    number(static_cast<u32>(stream));
    number(count);
    number(hash);
}

void RecordedEntries::text(int stream, std::span<const u8> bytes) {
    begin(RecordedKind::Text);
    number(static_cast<u32>(stream));
    put(bytes);
}

void RecordedEntries::end(u32 by, u32 status, u32 signal) {
    begin(RecordedKind::End);
    number(by);
    number(status);
    number(signal);
}

void RecordedEntries::member(u32 which) {
    begin(RecordedKind::Member);
    number(which);
}

void RecordedEntries::turn(u32 instructions) {
    begin(RecordedKind::Turn);
    number(instructions);
}

// ---- writing ------------------------------------------------------------------------------------------------------------------

Result<void> RecordingWriter::put(u32 type, u32 rank, std::span<const u8> bytes) {
    room_.resize(section_head_bytes + ZSTD_compressBound(bytes.size()));
    const std::span<u8> room = std::span(room_).subspan(section_head_bytes);
    const std::size_t stored = ZSTD_compress(room.data(), room.size(), bytes.data(), bytes.size(), level);
    if (ZSTD_isError(stored)) return Error{fmt::format("--record: {} cannot be compressed: {}", name_, ZSTD_getErrorName(stored))};
    SectionHead head{type, rank, bytes.size(), stored, 0};
    head.checksum = checksum_of(head, room.first(stored));
    ArchiveWriter fields;
    fields(head);
    std::ranges::copy(fields.bytes(), room_.begin());
    if (write_all(file_.get(), std::span(room_).first(section_head_bytes + stored))) return {};
    return Error{fmt::format("--record: {} cannot be written: {}", name_, std::strerror(errno))};
}

Result<void> RecordingWriter::begin(const RecordingHead &head) {
    ArchiveWriter start, content;
    start(magic, version);
    content(head);
    if (!write_all(file_.get(), start.bytes()))
        return Error{fmt::format("--record: {} cannot be written: {}", name_, std::strerror(errno))};
    return put(head_section, 0, content.bytes());
}

Result<void> RecordingWriter::append(u32 rank, std::span<const u8> entries) { return put(entries_section, rank, entries); }

Result<void> RecordingWriter::finish() { return put(end_section, 0, {}); }

// ---- reading ------------------------------------------------------------------------------------------------------------------

Error Recording::damaged(std::string_view what) const {
    return Error{fmt::format("the recording {} is damaged: {}", path_.string(), what)};
}

Result<std::shared_ptr<Recording>> Recording::open(const std::filesystem::path &path) {
    std::shared_ptr<Recording> made(new Recording);
    made->path_ = path;
    made->file_ = OwnedFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat about {};
    if (!made->file_ || fstat(made->file_.get(), &about) != 0)
        return Error{fmt::format("the recording {} cannot be read: {}", path.string(), std::strerror(errno))};
    std::array<u8, magic.size() + sizeof version> start{};
    const int fd = made->file_.get();
    if (!S_ISREG(about.st_mode) || !read_at(fd, start, 0) || !std::equal(magic.begin(), magic.end(), start.begin()))
        return Error{fmt::format("{} is not a recording of mogrun --record", path.string())};
    if (u32 of = 0; std::memcpy(&of, start.data() + magic.size(), sizeof of), of != version)
        return Error{fmt::format("the recording {} has version {}, and this mogrun reads version {}", path.string(), of, version)};
    const auto size = static_cast<u64>(about.st_size);
    for (u64 at = start.size();;) {
        std::array<u8, section_head_bytes> bytes{};
        // A run that was killed has left part of a section.
        if (size - at < bytes.size()) break;
        if (!read_at(fd, bytes, at)) return made->damaged(fmt::format("it cannot be read at byte {}", at));
        SectionHead head;
        ArchiveReader reader(bytes);
        reader(head);
        if (head.type < head_section || head.type > end_section || head.size > most_bytes)
            return made->damaged(fmt::format("there is no section at byte {}", at));
        at += bytes.size();
        if (head.stored > size - at) break;
        made->sections_.push_back({head.type, head.rank, head.size, head.stored, head.checksum, at});
        at += head.stored;
        if (head.type == end_section) {
            made->is_whole_ = true;
            if (at != size) return made->damaged(fmt::format("{} bytes stand behind its end", size - at));
            break;
        }
    }
    if (made->sections_.empty() || made->sections_.front().type != head_section) return made->damaged("it does not say of which run it is");
    const Result<std::vector<u8>> head = made->read(made->sections_.front());
    if (!head) return head.error();
    ArchiveReader reader(*head);
    reader(made->head_);
    if (!reader.is_done() || made->head_.nproc == 0 || made->head_.nproc > made->head_.world ||
        made->head_.first_rank > made->head_.world - made->head_.nproc || made->head_.startup.size() > made->head_.data_words ||
        made->head_.threads == 0 || std::uint64_t{made->head_.threads} * made->head_.nproc > UINT32_MAX)
        return made->damaged("what it says of its run makes no sense");
    for (const Section &section : made->sections_)
        if (section.rank >= made->head_.nproc)
            return made->damaged(fmt::format("it has entries of PE {}, which there is not", section.rank));
    return made;
}

Result<std::vector<std::uint8_t>> Recording::read(const Section &section) const {
    std::vector<u8> stored(section.stored), whole(section.size);
    if (!read_at(file_.get(), stored, section.at)) return damaged(fmt::format("it cannot be read at byte {}", section.at));
    if (checksum_of({section.type, section.rank, section.size, section.stored, 0}, stored) != section.checksum)
        return damaged(fmt::format("the section at byte {} is not what was written", section.at));
    const std::size_t size = ZSTD_decompress(whole.data(), whole.size(), stored.data(), stored.size());
    if (ZSTD_isError(size) || size != whole.size())
        return damaged(fmt::format("the section at byte {} cannot be decompressed", section.at));
    return whole;
}

void Recording::choose(u32 pe) {
    pe_ = pe;
    next_section_ = at_ = 0;
    section_.clear();
    has_next_ = false;
}

Result<const RecordedEntry *> Recording::next() {
    if (has_next_) return &entry_;
    const u32 whose = head_.has_one_order() ? 0 : pe_;
    while (at_ == section_.size()) {
        while (next_section_ < sections_.size() &&
               (sections_[next_section_].type != entries_section || sections_[next_section_].rank != whose))
            ++next_section_;
        if (next_section_ == sections_.size()) return static_cast<const RecordedEntry *>(nullptr);
        Result<std::vector<u8>> bytes = read(sections_[next_section_++]);
        if (!bytes) return bytes.error();
        section_ = *std::move(bytes);
        at_ = 0;
    }
    MOG_TRY(parse());
    has_next_ = true;
    return &entry_;
}

Result<void> Recording::parse() {
    bool is_good = true;
    const auto number = [&]() -> u64 {
        u64 value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (at_ == section_.size()) break;
            const u8 byte = section_[at_++];
            value |= u64{byte & 0x7fu} << shift;
            if (byte < 0x80) return value;
        }
        is_good = false;
        return 0;
    };
    const auto word = [&] { return static_cast<u32>(number()); };
    const auto bytes = [&]() -> std::span<const u8> {
        const u64 size = number();
        if (size > section_.size() - at_) {
            is_good = false;
            return {};
        }
        at_ += size;
        return std::span(section_).subspan(at_ - size, size);
    };
    entry_ = {};
    entry_.kind = static_cast<RecordedKind>(section_[at_++]);
    switch (entry_.kind) {
        case RecordedKind::Call:
            entry_.place = word();
            entry_.value = word();
            entry_.info = word();
            entry_.arguments = word();
            if (entry_.arguments > entry_.argument.size()) is_good = false;
            for (u32 i = 0; is_good && i < entry_.arguments; ++i) entry_.argument[i] = word();
            break;
        case RecordedKind::Fault:
            entry_.place = word();
            entry_.value = word();
            break;
        case RecordedKind::Answer:
        case RecordedKind::Failed:
        case RecordedKind::Member:
        case RecordedKind::Turn: entry_.value = word(); break;
        case RecordedKind::Memory:
            entry_.place = word();
            entry_.bytes = bytes();
            break;
        case RecordedKind::State:
            entry_.place = word();
            entry_.value = word();
            break;
        case RecordedKind::Late: break;
        case RecordedKind::Printed:
            entry_.value = word();
            entry_.count = word();
            entry_.hash = number();
            break;
        case RecordedKind::Text:
            entry_.value = word();
            entry_.bytes = bytes();
            break;
        case RecordedKind::End:
            entry_.value = word();
            entry_.count = word();
            entry_.info = word();
            break;
        default: is_good = false;
    }
    return is_good ? Result<void>() : damaged(fmt::format("an entry of PE {} makes no sense", rank()));
}

}  // namespace mog
