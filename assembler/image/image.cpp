// image.cpp: an image as bytes and back. The format is described in docs/image.md.
#include "assembler/image/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "assembler/image/image_check.hpp"
#include "assembler/image/image_sections.hpp"
#include "support/files/compressed.hpp"
#include "support/files/hash.hpp"

namespace mog {
namespace {

constexpr std::string_view magic = "MOGIMAGE";
constexpr std::uint32_t version = 6;
constexpr std::size_t header_size = 32;  // magic, version, sections, file size, checksum
constexpr std::size_t size_at = 16, checksum_at = 24;
constexpr std::size_t table_entry_size = 32;  // name, offset, size, form, size when unpacked
constexpr std::size_t name_size = 8;

/// How a section is written, as the sum of these.
enum SectionForm : std::uint32_t { is_dense = 1, is_compressed = 2 };

/// A section's bytes and what its row of the table says of them.
struct Written {
    std::vector<std::uint8_t> bytes;
    std::uint32_t form = 0, unpacked = 0;
};

Written write_section(const ImageSection &section, const Image &image, ImageForm form) {
    Written written;
    ImageWriter out;
    if (form == ImageForm::small && section.write_dense && section.write_dense(out, image)) written.form |= is_dense;
    else section.write(out, image, form);
    written.bytes = std::move(out.bytes);
    if (form != ImageForm::small || !section.is_compressed || written.bytes.size() > 0xffffffffu) return written;
    if (auto packed = pack(written.bytes)) {
        written.form |= is_compressed;
        written.unpacked = static_cast<std::uint32_t>(written.bytes.size());
        written.bytes = *std::move(packed);
    }
    return written;
}

std::uint64_t checksum(std::span<const std::uint8_t> file) { return fnv1a(file.subspan(header_size), fnv1a(file.first(checksum_at))); }

}  // namespace

std::vector<std::uint8_t> write_image(const Image &image, ImageForm form) {
    ImageWriter out, table, sizes, sum;
    out.raw(as_byte_span(magic));
    out.u32(version);
    out.u32(static_cast<std::uint32_t>(section_rows().size()));
    out.bytes.resize(header_size + section_rows().size() * table_entry_size);
    for (const ImageSection &section : section_rows()) {
        const Written written = write_section(section, image, form);
        std::string name(section.name);
        name.resize(name_size);
        table.raw(as_byte_span(name));
        table.u64(out.bytes.size());
        table.u64(written.bytes.size());
        table.u32(written.form);
        table.u32(written.unpacked);
        out.raw(written.bytes);
        out.bytes.resize((out.bytes.size() + 7) / 8 * 8);
    }
    std::copy(table.bytes.begin(), table.bytes.end(), out.bytes.begin() + header_size);
    sizes.u64(out.bytes.size());
    std::copy(sizes.bytes.begin(), sizes.bytes.end(), out.bytes.begin() + size_at);
    sum.u64(checksum(out.bytes));
    std::copy(sum.bytes.begin(), sum.bytes.end(), out.bytes.begin() + checksum_at);
    return out.bytes;
}

std::vector<std::string_view> image_sections() {
    std::vector<std::string_view> names;
    for (const ImageSection &section : section_rows()) names.emplace_back(section.name);
    return names;
}

SectionPlace find_section(std::span<const std::uint8_t> file, std::string_view name) {
    const auto found = std::ranges::find(section_rows(), name, &ImageSection::name);
    ImageReader row(file.subspan(header_size + static_cast<std::size_t>(found - section_rows().begin()) * table_entry_size + name_size));
    const std::size_t offset = row.u64();
    return {offset, row.u64()};
}

std::uint64_t image_checksum(std::span<const std::uint8_t> file) { return ImageReader(file.subspan(checksum_at)).u64(); }

Result<Image> read_image(std::span<const std::uint8_t> bytes) {
    ImageReader header(bytes);
    const auto start = header.raw(magic.size());
    if (!header.ok() || std::memcmp(start.data(), magic.data(), magic.size()) != 0) return Error{"this is not a MOG image", {}};
    const std::uint32_t found_version = header.u32();
    const std::uint32_t found_sections = header.u32();
    const std::uint64_t size = header.u64();
    const std::uint64_t sum = header.u64();
    if (!header.ok()) return Error{fmt::format("the image is cut short: its {} bytes do not hold a header", bytes.size()), {}};
    if (found_version != version)
        return Error{fmt::format("the image has version {} of the format, this MOG reads version {}: compile the program again",
                                 found_version, version),
                     {}};
    if (size != bytes.size()) return Error{fmt::format("the image is damaged: it has {} bytes and should have {}", bytes.size(), size), {}};
    if (sum != checksum(bytes)) return Error{"the image is damaged: its checksum does not fit", {}};
    if (found_sections != section_rows().size())
        return Error{fmt::format("the image is damaged: it has {} sections and should have {}", found_sections, section_rows().size()), {}};

    Image image;
    for (const ImageSection &section : section_rows()) {
        const auto name = header.raw(name_size);
        const std::uint64_t offset = header.u64();
        const std::uint64_t length = header.u64();
        const std::uint32_t form = header.u32();
        const std::uint32_t unpacked = header.u32();
        std::string expected(section.name);
        expected.resize(name_size);
        if (!header.ok() || std::memcmp(name.data(), expected.data(), name_size) != 0 || offset > bytes.size() ||
            length > bytes.size() - offset)
            return Error{fmt::format("the image is damaged: section `{}` is not in its place", section.name), {}};
        if (form > (is_dense | is_compressed) || ((form & is_dense) && !section.read_dense))
            return Error{fmt::format("the image is damaged: section `{}` has the unknown form {}", section.name, form), {}};
        std::optional<std::vector<std::uint8_t>> whole;
        if (form & is_compressed) {
            whole = unpack(bytes.subspan(offset, length), unpacked);
            if (!whole) return Error{fmt::format("the image is damaged: section `{}` cannot be decompressed", section.name), {}};
        }
        ImageReader in(whole ? std::span<const std::uint8_t>(*whole) : bytes.subspan(offset, length));
        (form & is_dense ? section.read_dense : section.read)(in, image);
        if (!in.refusal().empty()) return Error{"the image cannot be read: " + in.refusal(), {}};
        if (!in.ok() || !in.at_end()) return Error{fmt::format("the image is damaged: section `{}` has the wrong size", section.name), {}};
    }
    if (auto checked = check_image(image); !checked) return checked.error();
    return image;
}

}  // namespace mog
