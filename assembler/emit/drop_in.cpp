// drop_in.cpp: the templates interp_templates/drop_in* with a program's facts in them.
#include "assembler/emit/drop_in.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/image/spaces.hpp"
#include "interp_templates/launch_abi.h"
#include "interp_templates/templates.hpp"
#include "support/text.hpp"

namespace mog {
namespace {

constexpr SourceKind kinds_of_sources[] = {{Dialect::opencl, ProductKind::opencl, "opencl", ".cl"},
                                           {Dialect::cuda, ProductKind::cuda, "cuda", ".cu"},
                                           {Dialect::host, ProductKind::cpp, "cpp", ".cpp"}};

std::string upper(std::string text) {
    for (char &c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::string identifier_of(std::string_view stem) {
    std::string name(stem);
    for (char &c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) > 127) c = '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name.insert(name.begin(), '_');
    return name;
}

bool is_identifier(std::string_view name) { return identifier_of(name) == name; }

/// A template with its holes (lines "//@ NAME") and words ("@name@") filled.
class Template {
public:
    Template(std::string_view file, const std::map<std::string, std::string> &words) : text_(template_text(file)), words_(words) {}
    Template &fill(std::string_view hole, std::string_view filling) {
        if (const auto filled = fill_hole(text_, fmt::format("//@ {}", hole), filling)) text_ = *filled;
        else missing_ = hole;
        return *this;
    }
    /// The words are those of the template alone: what filled its holes keeps its @.
    Template &words() {
        for (const auto &[word, value] : words_) {
            const std::string mark = fmt::format("@{}@", word);
            for (std::size_t at = 0; (at = text_.find(mark, at)) != text_.npos; at += value.size()) text_.replace(at, mark.size(), value);
        }
        return *this;
    }
    Result<std::string> text() const {
        if (!missing_.empty()) return Error{fmt::format("a template lacks a line `//@ {}`", missing_), {}};
        return text_;
    }

private:
    std::string text_, missing_;
    const std::map<std::string, std::string> &words_;
};

/// What mogcc's --double asks of every interpreter of the program, unless who compiles says it himself.
std::string double_definition(const Image &image) {
    const std::string how = std::string(image.products.text(ProductKind::doubles));
    if (how != "soft" && how != "pair") return {};
    return fmt::format("#if !defined(MOG_DOUBLE_SOFT) && !defined(MOG_DOUBLE_PAIR)\n#define MOG_DOUBLE_{}\n#endif\n", upper(how));
}

std::string block_definition(const Image &image) {
    return entry_table(image).empty()
               ? ""
               : "#if !defined(MOG_ENGINE_BLOCKS) && !defined(MOG_ENGINE_LANES)\n#define MOG_ENGINE_BLOCKS\n#endif\n";
}

/// Whether there is code for several PEs at once.
bool has_lanes(const Image &image) { return image.products.has(ProductKind::places); }

/// Weak: those that no file was compiled for are not there.
std::string lanes_declarations(const std::string &name) {
    std::string text = "/* What is linked in of it; NULL is the address of the others. */\n";
    for (const char *simd : {"portable", "avx2", "avx512"})
        text += fmt::format("extern \"C\" __attribute__((weak)) const mog_lanes_code {}_lanes_{};\n", name, simd);
    return text;
}

std::string sections(const Image &image, std::span<const std::uint8_t> file, const std::string &name) {
    struct Part {
        const char *section, *name, *type, *meaning;
        std::size_t bytes_of_element;
    };
    static constexpr Part parts[] = {{"text", "TEXT", "uint16_t", "instructions", 2},
                                     {"cpool", "CPOOL", "uint32_t", "constants", 4},
                                     {"codemap", "CODE_MAP", "uint32_t", "code addresses of the program to TEXT indices", 4},
                                     {"data", "DATA", "uint32_t", "the initial memory of every PE, from MOG_DATA_BASE on", 4}};
    std::string text;
    for (const Part &part : parts) {
        const SectionPlace place = find_section(file, part.section);
        const std::string macro = fmt::format("{}_{}", upper(name), part.name);
        text += part.bytes_of_element == 2
                    ? fmt::format("#define {} ((const {} *)(const void *)({}_image + {})) /* {} */\n", macro, part.type, name,
                                  place.offset / 4, part.meaning)
                    : fmt::format("#define {} ({}_image + {}) /* {} */\n", macro, name, place.offset / 4, part.meaning);
        text += fmt::format("#define {}_{} {}u\n", macro, part.bytes_of_element == 2 ? "HALFWORDS" : "WORDS",
                            place.size / part.bytes_of_element);
    }
    if (const auto entries = entry_table(image); !entries.empty())
        text += fmt::format(
            "/* Where compiled blocks are entered, for kernels with MOG_ENGINE_BLOCKS. */\nextern const uint32_t {}_entry_of[{}];\n", name,
            entries.size());
    if (const auto fused = text_to_load(image, Shape::sequence, false); fused.superinstructions != 0)
        text += fmt::format(
            "/* TEXT for kernels without MOG_ENGINE_BLOCKS, which are faster with it: with superinstructions. */\n"
            "extern const uint16_t {}_fused_text[{}];\n",
            name, fused.words.size());
    return text;
}

/// The program's variables that C can name and of which there is one.
std::string variables(const Image &image, const std::string &name) {
    std::map<std::string_view, int> count;
    for (const Symbol &symbol : image.symbols)
        if (!symbol.is_code) count[symbol.name]++;
    std::string text;
    for (const Symbol &symbol : image.symbols)
        if (!symbol.is_code && symbol.size != 0 && count[symbol.name] == 1 && is_identifier(symbol.name))
            text += fmt::format("#define {}_ADDRESS_{} 0x{:08x}u /* {} bytes */\n", upper(name), symbol.name, symbol.address, symbol.size);
    return text;
}

bool has(std::span<const SourceKind> kinds, Dialect dialect) {
    return std::ranges::find(kinds, dialect, &SourceKind::dialect) != kinds.end();
}

Result<std::string> header(const Image &image, std::span<const std::uint8_t> file, std::span<const SourceKind> kinds, std::string_view stem,
                           const std::map<std::string, std::string> &words) {
    const std::string &name = words.at("name");
    std::string files, uses;
    const auto add_file = [&](std::string_view suffix, std::string_view what) {
        files += fmt::format(" *   {:<20} {}\n", fmt::format("{}{}", stem, suffix), what);
    };
    const auto add_use = [&](std::string_view file_name) { return Template(file_name, words); };
    add_file("_image.c", "its image: code, constants, initial memory. C or C++, by any compiler");
    if (has(kinds, Dialect::host)) {
        add_file(".cpp", "its interpreter for the host's processor. C++17, by g++ or clang++; wants libmog");
        uses += *add_use("drop_in_host.h").words().text();
        if (has_lanes(image)) {
            add_file("_lanes.cpp", "its hottest code for 16 PEs at once, where wanted: for vectors of that processor");
            uses += *add_use("drop_in_lanes.h").words().text();
        }
    }
    if (has(kinds, Dialect::opencl) || has(kinds, Dialect::cuda)) uses += *add_use("drop_in_runs.h").words().text();
    if (has(kinds, Dialect::opencl)) {
        add_file(".cl", "its interpreter in OpenCL C 1.2");
        const bool blocks = !entry_table(image).empty();
        auto text =
            add_use("drop_in_opencl.h")
                .fill("OPTIONS",
                      blocks ? fmt::format(" *   -DMOG_ENGINE_BLOCKS       hot code compiled, for CPUs; wants {}_entry_of\n", name) : "")
                .words()
                .text();
        if (!text) return text;
        uses += *text;
    }
    if (has(kinds, Dialect::cuda)) {
        add_file(".cu", "its interpreter in CUDA C++, with functions that launch it. C++17, by nvcc");
        uses += *add_use("drop_in_cuda.h").words().text();
    }
    return Template("drop_in.h", words)
        .words()
        .fill("FILES", files)
        .fill("INCLUDES", has(kinds, Dialect::host) ? "#include <mog.h>\n" : "")
        .fill("SECTIONS", sections(image, file, name))
        .fill("VARIABLES", variables(image, name))
        .fill("USES", uses)
        .text();
}

}  // namespace

BlockPurpose purpose_of(std::span<const SourceKind> kinds) {
    return kinds.size() == 1 && kinds.front().dialect == Dialect::host ? BlockPurpose::host : BlockPurpose::kernels;
}

std::span<const SourceKind> source_kinds() { return kinds_of_sources; }

std::vector<SourceKind> read_source_kinds(std::string_view list) {
    std::vector<bool> named(std::size(kinds_of_sources));
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const auto found = std::ranges::find(kinds_of_sources, list.substr(at, end - at), &SourceKind::name);
        if (found == std::end(kinds_of_sources)) return {};
        named[static_cast<std::size_t>(found - kinds_of_sources)] = true;
        at = end + 1;
    }
    std::vector<SourceKind> kinds;
    for (std::size_t i = 0; i < named.size(); i++)
        if (named[i]) kinds.push_back(kinds_of_sources[i]);
    return kinds;
}

Result<std::vector<SourceFile>> drop_in_sources(const Image &image, std::span<const SourceKind> kinds, std::string_view stem,
                                                std::string_view program_name) {
    if (has_spaces(image))
        return Error{"the program has memory that its PEs share, which sources for other builds do not; mogrun and libmog run it", {}};
    // Interpreters are beside it, not in it.
    Image bare = image;
    bare.products = {};
    for (const ProductKind kept : {ProductKind::entries, ProductKind::slots, ProductKind::doubles, ProductKind::places})
        if (const auto *bytes = image.products.find(kept); bytes && (kept != ProductKind::places || has(kinds, Dialect::host)))
            bare.products.set(kept, *bytes);
    const std::vector<std::uint8_t> file = write_image(bare, ImageForm::plain);
    const std::string name = identifier_of(stem);
    const bool blocks = !entry_table(bare).empty();
    const std::map<std::string, std::string> words = {
        {"stem", std::string(stem)},
        {"name", name},
        {"NAME", upper(name)},
        {"program", std::string(program_name)},
        {"version", MOG_VERSION},
        {"launch_version", std::to_string(MOG_LAUNCH_VERSION)},
        {"image_bytes", std::to_string(file.size())},
        {"image_words", std::to_string(file.size() / 4)},
        {"entry", std::to_string(image.entry)},
        {"registers", std::to_string(image.register_names.size())},
        {"v0", std::to_string(image.roles[static_cast<std::size_t>(Role::v0)])},
        {"a3", std::to_string(image.roles[static_cast<std::size_t>(Role::a3)])},
        {"break", fmt::format("{:08x}", image.brk)},
        {"checksum", fmt::format("0x{:016x}", image_checksum(file))},
        {"entry_of_argument", blocks ? ", m->entry_of" : ""},
        {"lanes",
         has_lanes(bare) ? fmt::format("&{0}_lanes_portable, &{0}_lanes_avx2, &{0}_lanes_avx512", name) : "nullptr, nullptr, nullptr"},
        {"entry_of_comment", blocks ? name + "_entry_of" : "NULL: this program has no compiled blocks"},
    };
    auto text = header(bare, file, kinds, stem, words);
    if (!text) return text.error();
    std::vector<SourceFile> files = {{fmt::format("{}.h", stem), *std::move(text)},
                                     {fmt::format("{}_image.c", stem), image_as_c(bare, file, stem, name)}};
    for (const SourceKind &kind : kinds) {
        const std::string source = std::string(image.products.text(kind.product));
        Result<std::string> whole = double_definition(image) + source;
        if (kind.dialect != Dialect::opencl) {
            Template whole_template(kind.dialect == Dialect::cuda ? "drop_in_cuda.cu" : "drop_in_host.cpp", words);
            whole_template.words();
            if (kind.dialect == Dialect::host) whole_template.fill("LANES", has_lanes(bare) ? lanes_declarations(name) : "");
            const std::string_view mailboxes = kind.dialect == Dialect::cuda ? "#define MOG_WITHOUT_MAILBOXES\n" : "";
            whole = whole_template.fill("DEFINITIONS", fmt::format("{}{}{}", mailboxes, double_definition(image), block_definition(bare)))
                        .fill("INTERPRETER", source)
                        .text();
        }
        if (!whole) return whole.error();
        files.push_back({fmt::format("{}{}", stem, kind.suffix), *std::move(whole)});
        if (kind.dialect != Dialect::host || !has_lanes(bare)) continue;
        auto lanes = Template("drop_in_lanes.cpp", words).words().fill("INTERPRETER", image.products.text(ProductKind::lanes_cpp)).text();
        if (!lanes) return lanes.error();
        files.push_back({fmt::format("{}_lanes.cpp", stem), *std::move(lanes)});
    }
    return files;
}

}  // namespace mog
