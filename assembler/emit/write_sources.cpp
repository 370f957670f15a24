// write_sources.cpp: a program's sources become files, in nobody's way.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "assembler/emit/drop_in.hpp"
#include "support/files/files.hpp"

namespace mog {
namespace {

/// What no set of files may be called: nobody could include the header, or who does no longer finds another one.
Result<void> check_stem(std::string_view stem) {
    if (stem.find_first_of("\"\\\n") != stem.npos)
        return Error{fmt::format("-o {}: files of C cannot be called that; leave out quotes, backslashes and line ends", stem), {}};
    for (const std::string_view included : {"mog", "stddef", "stdint", "string"})
        if (stem == included) return Error{fmt::format("-o {0}: {0}.h would stand in the way of <{0}.h>; take another stem", stem), {}};
    return {};
}

/// Nothing stands there, or what an earlier call wrote: users have a prog.h or a prog.cpp of their own beside prog.c.
Result<void> check_place(const std::filesystem::path &path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return {};
    std::ifstream file(path, std::ios::binary);
    std::array<char, 4096> begin;
    file.read(begin.data(), begin.size());
    const std::string_view text(begin.data(), static_cast<std::size_t>(file.gcount()));
    if (text.empty() || text.find(generated_mark) != text.npos) return {};
    return Error{fmt::format("{} is there already and is nothing that MOG wrote; take another name for -o, or remove it", path.string()),
                 {}};
}

}  // namespace

Result<void> write_sources(const Image &image, std::span<const SourceKind> kinds, const std::string &output,
                           std::string_view program_name) {
    const std::filesystem::path path = output;
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    const bool one_stream = output == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
                                              !std::filesystem::is_directory(status));
    if (kinds.size() == 1 && (one_stream || path.extension() == kinds.front().suffix)) {
        if (!one_stream) MOG_TRY(check_place(path));
        return write_text_file(output, image.products.text(kinds.front().product));
    }
    if (one_stream)
        return Error{fmt::format("-o {}: --emit of several kinds writes several files; name their stem, as in -o prog", output), {}};
    if (path.filename().empty()) return Error{fmt::format("-o {}: the files' stem is missing, as in -o {}prog", output, output), {}};
    MOG_TRY(check_stem(path.filename().string()));
    const auto files = drop_in_sources(image, kinds, path.filename().string(), program_name);
    if (!files) return files.error();
    for (const SourceFile &file : *files) MOG_TRY(check_place(path.parent_path() / file.name));
    for (const SourceFile &file : *files) MOG_TRY(write_text_file(path.parent_path() / file.name, file.text));
    return {};
}

}  // namespace mog
