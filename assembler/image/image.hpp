// image.hpp: an encoded program, ready to run, and the file it lives in.
//
// An image file is a header, a table of sections and a checksum (docs/image.md). An executable made by mogcc is the launcher
// (the program mogrun) with an image file and a trailer behind it, so the same reader serves both.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/image/products.hpp"
#include "assembler/image/superinstruction.hpp"
#include "assembler/ir/mog_program.hpp"
#include "support/result.hpp"

namespace mog {

/// Kernels of dialect_host.h, or of lanes.c, that are linked into this process.
struct LinkedKernels {
    void (*init)(), (*transfer)(), (*run)();
    bool operator==(const LinkedKernels &) const = default;
};

struct Image {
    std::vector<std::uint16_t> text;   ///< opcode << 8 | operand
    std::vector<std::uint32_t> cpool;  ///< hashed constants; the size is 2^(32 - cpool_shift), at least 2
    std::uint32_t cpool_shift = 31;
    std::uint32_t entry = 0;                          ///< TEXT index
    std::vector<Superinstruction> superinstructions;  ///< TEXT here is without them
    /// By TEXT index: the opcode of the superinstruction that begins there, or 0. Each may be empty.
    std::vector<std::uint8_t> fused_sequence, fused_switch;

    std::uint32_t code_base = 0;          ///< first MIPS code address
    std::vector<std::uint32_t> code_map;  ///< TEXT index by (address - code_base) / 4, or MOG_NO_CODE; not empty
    std::vector<Entry> entries;           ///< the same way: how control may come there; Label where there is no code
    std::vector<JumpKind> jumps;          ///< by TEXT index

    std::vector<std::uint8_t> data;  ///< initial DATA from MOG_DATA_BASE on; a multiple of 4 bytes
    std::uint32_t brk = 0;

    std::vector<std::string> register_names;  ///< index = register number; size = number of registers, >= 1
    Roles roles{};                            ///< every role has a register here

    std::vector<std::uint32_t> source_address;  ///< by TEXT index: MIPS address, 0 if none
    std::vector<std::uint32_t> retires;         ///< by TEXT index: MIPS instructions done with it
    std::vector<std::string> labels;            ///< names of the blocks ...
    std::vector<std::uint32_t> label_at;        ///< ... and the TEXT index of each, ascending
    std::vector<Symbol> symbols;                ///< by address
    std::vector<std::string> files;
    std::vector<Line> lines;        ///< by address
    std::vector<FrameRule> frames;  ///< by address

    Products products;

    /// In place of the products "host" and "lanes"; in no file. What has the latter has the products "places" and "simd", too.
    std::optional<LinkedKernels> linked, linked_lanes;
    bool brings_host_code() const { return linked || products.has(ProductKind::host); }
    bool has_lanes_code() const { return linked_lanes || products.has(ProductKind::lanes); }

    bool operator==(const Image &) const = default;
};

/// The opcode of the instruction at a TEXT index.
inline Op op_at(const Image &image, std::size_t index) { return static_cast<Op>(image.text[index] >> 8); }

/// How an image file is written; both are read. `plain`: TEXT, CPOOL, CODE_MAP and DATA are arrays that others use where they stand.
/// `small`: what only MOG reads is in as few bytes as are soon read.
enum class ImageForm : std::uint8_t { plain, small };
/// The image as the bytes of an image file. Deterministic.
std::vector<std::uint8_t> write_image(const Image &image, ImageForm form = ImageForm::small);

/// The names of an image file's sections, in their order.
std::vector<std::string_view> image_sections();
/// Where a section stands in the bytes of a plain image file, which is a multiple of 8: in bytes. `name` is one of image_sections().
struct SectionPlace {
    std::size_t offset = 0, size = 0;
};
SectionPlace find_section(std::span<const std::uint8_t> file, std::string_view name);
/// The checksum that stands in an image file.
std::uint64_t image_checksum(std::span<const std::uint8_t> file);

/// Reads an image file; a damaged one is an error that says what is wrong, never a crash.
Result<Image> read_image(std::span<const std::uint8_t> bytes);

/// Reads the image in `path`: an image file, or an executable made by mogcc.
Result<Image> load_image(const std::filesystem::path &path);
/// The same of bytes that are in memory.
Result<Image> read_program(std::span<const std::uint8_t> bytes);
/// True if the file ends in the trailer of an executable made by mogcc.
bool has_image(const std::filesystem::path &path);
/// Writes an executable: `launcher` (a copy of the program mogrun), the image, the trailer; mode 0777 less umask.
Result<void> write_executable(const std::filesystem::path &path, const std::filesystem::path &launcher, const Image &image);

/// Where a code address is: "function" and "file:line" (each empty if unknown). For messages.
struct SourcePlace {
    std::string function;
    std::string file;
    std::uint32_t line = 0;
};
SourcePlace find_source(const Image &image, std::uint32_t mips_address);

}  // namespace mog
