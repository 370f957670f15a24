// drop_in.hpp: a program as sources for other people's builds: its interpreters, its image as C, a header that says how to use them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/emit/generate.hpp"
#include "assembler/image/image.hpp"
#include "support/result.hpp"

namespace mog {

/// How a kind of source is called where one is chosen, and the suffix of its files.
struct SourceKind {
    Dialect dialect;
    ProductKind product;
    std::string_view name;    ///< of --emit
    std::string_view suffix;  ///< ".cl"
};
/// All of them.
std::span<const SourceKind> source_kinds();
/// The kinds of a list such as "cpp,cuda", in the order of source_kinds(). Empty if one of its words is none.
std::vector<SourceKind> read_source_kinds(std::string_view list);

/// The plan of compiled blocks that all of them share.
BlockPurpose purpose_of(std::span<const SourceKind> kinds);

struct SourceFile {
    std::string name;  ///< without folder
    std::string text;
};

/// What is written for `stem`, the name of a file without folder and suffix: the interpreters' sources of these kinds, STEM_image.c and
/// STEM.h. `image` has its products (assemble.hpp). Names in C are the stem's, with _ for what C does not allow in them.
Result<std::vector<SourceFile>> drop_in_sources(const Image &image, std::span<const SourceKind> kinds, std::string_view stem,
                                                std::string_view program_name);

/// Writes what --emit says for -o `output`: "-", or a name with the suffix of the only kind, is the interpreter's source alone; else
/// `output` is folder and stem of all files. An error, with nothing written, if a file stands in the way that was not generated.
Result<void> write_sources(const Image &image, std::span<const SourceKind> kinds, const std::string &output, std::string_view program_name);

/// STEM_image.c: the image as an array of words, and what hosts without libmog want besides.
std::string image_as_c(const Image &image, std::span<const std::uint8_t> file, std::string_view stem, std::string_view identifier);

}  // namespace mog
