// executable.cpp: the image behind the launcher, and how it is found again.
//
// An executable is launcher, padding to 16 bytes, image file, trailer; the trailer says where the image starts. To ELF's tools image and
// trailer are a section, which strip keeps and puts somewhere else: a file without a trailer at its end is asked for that section.
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "assembler/image/image.hpp"
#include "support/files/files.hpp"
#include "support/sizes.hpp"

namespace mog {
namespace {

constexpr std::string_view image_section = ".mog.image";
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

/// Where an image file lies.
struct Place {
    std::uint64_t offset = 0, size = 0;
};

/// The sections of an ELF file for this machine, of which read(offset, size) gives bytes, fewer behind its end; and their names.
struct Sections {
    Elf64_Ehdr header{};
    std::vector<Elf64_Shdr> table;
    std::vector<std::uint8_t> names;

    std::string_view name_of(const Elf64_Shdr &section) const {
        if (section.sh_name >= names.size()) return {};
        const auto *const begin = reinterpret_cast<const char *>(names.data()) + section.sh_name;
        return {begin, strnlen(begin, names.size() - section.sh_name)};
    }
    Elf64_Shdr *find_image() {
        const auto found = std::ranges::find_if(table, [&](const Elf64_Shdr &section) { return name_of(section) == image_section; });
        return found == table.end() ? nullptr : &*found;
    }
};

std::optional<Sections> find_sections(const auto &read) {
    constexpr std::uint64_t most_names = 1 << 20;
    Sections sections;
    Elf64_Ehdr &header = sections.header;
    const std::vector<std::uint8_t> start = read(0, sizeof header);
    if (start.size() < sizeof header) return {};
    std::memcpy(&header, start.data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum)
        return {};
    sections.table.resize(header.e_shnum);
    const std::uint64_t bytes = sections.table.size() * sizeof(Elf64_Shdr);
    const std::vector<std::uint8_t> table = read(header.e_shoff, bytes);
    if (table.size() < bytes) return {};
    std::memcpy(sections.table.data(), table.data(), bytes);
    const Elf64_Shdr &names = sections.table[header.e_shstrndx];
    sections.names = read(names.sh_offset, std::min<std::uint64_t>(names.sh_size, most_names));
    return sections;
}

/// The image in a section, if there is such a one and it ends with a trailer.
std::optional<Place> find_in_section(const auto &read) {
    std::optional<Sections> sections = find_sections(read);
    const Elf64_Shdr *const section = sections ? sections->find_image() : nullptr;
    Trailer trailer;
    if (!section || section->sh_size < sizeof trailer) return {};
    const std::uint64_t size = section->sh_size - sizeof trailer;
    const std::vector<std::uint8_t> end = read(section->sh_offset + size, sizeof trailer);
    if (end.size() < sizeof trailer) return {};
    std::memcpy(&trailer, end.data(), sizeof trailer);
    if (std::memcmp(trailer.magic, trailer_magic, sizeof trailer_magic) != 0 || trailer.image_size != size) return {};
    return Place{section->sh_offset, size};
}

/// Makes ready for an image file and trailer of `size` bytes behind the launcher, which are a section: names and table of its sections
/// are written anew behind all others, in the place of old ones and of an image that it may have. One without sections gets none.
void add_section(std::vector<std::uint8_t> &bytes, std::uint64_t size) {
    constexpr std::uint64_t aligned = 16;
    std::optional<Sections> sections = find_sections([&](std::uint64_t offset, std::uint64_t count) {
        const std::uint64_t from = std::min<std::uint64_t>(offset, bytes.size()), to = from + std::min(count, bytes.size() - from);
        return std::vector<std::uint8_t>(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                                         bytes.begin() + static_cast<std::ptrdiff_t>(to));
    });
    if (!sections) return;
    auto &[header, table, names] = *sections;
    if (!sections->find_image()) {
        Elf64_Shdr added{};
        added.sh_name = static_cast<Elf64_Word>(names.size());
        added.sh_type = SHT_PROGBITS;
        added.sh_addralign = aligned;
        table.push_back(added);
        names.insert(names.end(), image_section.begin(), image_section.end());
        names.push_back(0);
    }
    Elf64_Shdr &image = *sections->find_image(), &own_names = table[header.e_shstrndx];
    std::uint64_t end = sizeof header;
    for (const Elf64_Shdr &section : table)
        if (&section != &image && &section != &own_names && section.sh_type != SHT_NOBITS)
            end = std::max(end, section.sh_offset + section.sh_size);
    if (end > bytes.size()) return;
    bytes.resize(end);

    own_names.sh_offset = end;
    own_names.sh_size = names.size();
    header.e_shoff = round_up(end + names.size(), aligned);
    header.e_shnum = static_cast<Elf64_Half>(table.size());
    const std::uint64_t table_size = table.size() * sizeof(Elf64_Shdr);
    image.sh_offset = round_up(header.e_shoff + table_size, aligned);
    image.sh_size = size;
    bytes.resize(image.sh_offset);
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + end, names.data(), names.size());
    std::memcpy(bytes.data() + header.e_shoff, table.data(), table_size);
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

    /// Where its image is, if it is an executable that has one.
    std::optional<Place> image() const {
        Trailer trailer;
        const std::uint64_t length = std::min<std::uint64_t>(sizeof trailer, size);
        if (find_trailer(read_at(fd, size - length, length), size, trailer)) return Place{trailer.image_offset, trailer.image_size};
        return find_in_section([&](std::uint64_t offset, std::uint64_t count) { return read_at(fd, offset, count); });
    }

    int fd;
    std::uint64_t size = 0;
    bool is_regular = false;
};

}  // namespace

bool has_image(const std::filesystem::path &path) {
    const File file(path);
    return file.fd >= 0 && file.image();
}

Result<Image> load_image(const std::filesystem::path &path) {
    const File file(path);
    if (file.fd < 0) return Error{fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)), {}};
    if (!file.is_regular) return Error{"is not a file that can hold a program", path.string()};
    std::optional<Place> place = file.image();
    if (!place) {
        const auto start = read_at(file.fd, 0, 4);
        if (start.size() == 4 && std::memcmp(start.data(), "\177ELF", 4) == 0)
            return Error{"is an ordinary executable, or a MOG one that is damaged: no MOG program is in it; compile with mogcc",
                         path.string()};
        if (start.size() < 4 || std::memcmp(start.data(), "MOGI", 4) != 0)
            return Error{"is not a MOG program; compile one with mogcc", path.string()};
        place = Place{0, file.size};
    }
    const auto bytes = read_at(file.fd, place->offset, place->size);
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
    const std::vector<std::uint8_t> content = write_image(image);
    add_section(bytes, content.size() + sizeof(Trailer));
    bytes.resize(round_up(bytes.size(), 16));
    Trailer trailer{bytes.size(), content.size(), {}};
    std::memcpy(trailer.magic, trailer_magic, sizeof trailer_magic);
    bytes.insert(bytes.end(), content.begin(), content.end());
    const auto *end = reinterpret_cast<const std::uint8_t *>(&trailer);
    bytes.insert(bytes.end(), end, end + sizeof trailer);
    return write_file(path, bytes, 0777);
}

}  // namespace mog
