// executable.cpp: the image behind the launcher, and how it is found again.
//
// An executable is launcher, padding to 16 bytes, image file, trailer; the trailer says where the image starts.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "assembler/image/image.hpp"
#include "support/files/files.hpp"

namespace mog {
namespace {

constexpr char trailer_magic[8] = {'M', 'O', 'G', 'T', 'R', 'A', 'I', 'L'};

/// The last bytes of an executable. Numbers are little-endian, as every host of ours is.
struct Trailer {
    std::uint64_t image_offset = 0;
    std::uint64_t image_size = 0;
    char magic[8] = {};
};
static_assert(sizeof(Trailer) == 24);

/// The trailer at the end of `bytes`, if there is one and its image lies right before it.
bool find_trailer(std::span<const std::uint8_t> end, std::uint64_t file_size, Trailer &trailer) {
    if (end.size() < sizeof trailer) return false;
    std::memcpy(&trailer, end.data() + end.size() - sizeof trailer, sizeof trailer);
    if (std::memcmp(trailer.magic, trailer_magic, sizeof trailer_magic) != 0) return false;
    const std::uint64_t content = file_size - sizeof trailer;
    return trailer.image_offset <= content && trailer.image_size == content - trailer.image_offset;
}

/// Reads `size` bytes at `offset`; fewer at the end of the file.
std::vector<std::uint8_t> read_at(int fd, std::uint64_t offset, std::uint64_t size) {
    std::vector<std::uint8_t> bytes(size);
    std::size_t have = 0;
    while (have < size) {
        const ssize_t got = ::pread(fd, bytes.data() + have, size - have, static_cast<off_t>(offset + have));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
}

/// An open file that closes itself.
struct File {
    explicit File(const std::filesystem::path &path) : fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        struct stat status {};
        if (fd >= 0 && ::fstat(fd, &status) == 0) {
            size = static_cast<std::uint64_t>(status.st_size);
            is_regular = S_ISREG(status.st_mode);
        }
    }
    ~File() {
        if (fd >= 0) ::close(fd);
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    std::vector<std::uint8_t> tail(std::uint64_t length) const {
        length = std::min(length, size);
        return read_at(fd, size - length, length);
    }

    int fd;
    std::uint64_t size = 0;
    bool is_regular = false;
};

}  // namespace

bool has_image(const std::filesystem::path &path) {
    const File file(path);
    Trailer trailer;
    return file.fd >= 0 && find_trailer(file.tail(sizeof trailer), file.size, trailer);
}

Result<Image> load_image(const std::filesystem::path &path) {
    const File file(path);
    if (file.fd < 0) return Error{fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)), {}};
    if (!file.is_regular) return Error{"is not a file that can hold a program", path.string()};
    std::uint64_t offset = 0;
    std::uint64_t size = file.size;
    Trailer trailer;
    if (find_trailer(file.tail(sizeof trailer), file.size, trailer)) {
        offset = trailer.image_offset;
        size = trailer.image_size;
    } else {
        const auto start = read_at(file.fd, 0, 4);
        if (start.size() == 4 && std::memcmp(start.data(), "\177ELF", 4) == 0)
            return Error{
                "is an ordinary executable, or a MOG one that is damaged or was stripped: no MOG program is at its end; compile with mogcc",
                path.string()};
        if (start.size() < 4 || std::memcmp(start.data(), "MOGI", 4) != 0)
            return Error{"is not a MOG program; compile one with mogcc", path.string()};
    }
    const auto bytes = read_at(file.fd, offset, size);
    auto image = read_image(bytes);
    if (!image) return Error{image.error().message, path.string()};
    return image;
}

Result<Image> read_program(std::span<const std::uint8_t> bytes) {
    Trailer trailer;
    if (find_trailer(bytes, bytes.size(), trailer)) bytes = bytes.subspan(trailer.image_offset, trailer.image_size);
    return read_image(bytes);
}

Result<void> write_executable(const std::filesystem::path &path, const std::filesystem::path &launcher, const Image &image) {
    auto program = read_file(launcher);
    if (!program) return program.error();
    std::vector<std::uint8_t> &bytes = *program;
    Trailer old;
    if (find_trailer(bytes, bytes.size(), old)) bytes.resize(old.image_offset);  // a launcher that already carried a program
    bytes.resize((bytes.size() + 15) / 16 * 16);

    const std::vector<std::uint8_t> content = write_image(image);
    Trailer trailer{bytes.size(), content.size(), {}};
    std::memcpy(trailer.magic, trailer_magic, sizeof trailer_magic);
    bytes.insert(bytes.end(), content.begin(), content.end());
    const auto *end = reinterpret_cast<const std::uint8_t *>(&trailer);
    bytes.insert(bytes.end(), end, end + sizeof trailer);
    return write_file(path, bytes, 0777);
}

}  // namespace mog
