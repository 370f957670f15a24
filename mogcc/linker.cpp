// linker.cpp: one link, or two.
#include "mogcc/linker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "support/files/files.hpp"
#include "support/files/temporary.hpp"
#include "support/say.hpp"
#include "support/subprocess.hpp"
#include "support/text.hpp"
#include "translator/translate.hpp"

namespace mog {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view linker_name = "collect2";
// About what a PE takes besides; a table that is read in the innermost loop is read an eighth slower in lanes from there (docs/memory.md).
constexpr std::uint64_t worth_sharing = 16 << 10;

// gcc's own: the next one after ours of where gcc looks.
Result<std::string> linker_of_gcc(const fs::path &own_folder) {
    const char *const places = std::getenv("COMPILER_PATH");
    std::error_code none;
    for (std::string_view rest = places ? places : ""; !rest.empty();) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const fs::path folder = rest.substr(0, end), found = folder / linker_name;
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!fs::equivalent(folder, own_folder, none) && program_exists(found.string())) return found.string();
    }
    return Error{fmt::format("gcc's own {} is not in COMPILER_PATH ({}), which gcc sets", linker_name, places ? places : "not set")};
}

// The linker script that puts constants where all PEs have them once (constants_base), made of ours.
Result<std::string> script_with_constants_apart(const Toolchain &tools) {
    Result<std::string> text = read_text_file(tools.lib("mog.ld"));
    if (!text) return text.error();
    std::size_t at = 0;
    const auto replace = [&](std::string_view old, const std::string &by) {
        at = text->find(old, at);
        if (at == std::string::npos) return false;
        text->replace(at, old.size(), by);
        at += by.size();
        return true;
    };
    bool is_ours = replace("    data PT_LOAD", "    constants PT_LOAD FLAGS(4);\n    data PT_LOAD") &&
                   replace(".rodata : ALIGN(8)", fmt::format("_mog_behind_first = .;\n    .rodata {:#x} :", constants_base));
    const std::size_t end = is_ours ? text->find(".init_array : ALIGN(8)", at) : std::string::npos;
    is_ours = is_ours && end != std::string::npos;
    // All sections up to there.
    while (is_ours && text->find(":data", at) < text->find(".init_array : ALIGN(8)", at)) is_ours = replace(":data", ":constants");
    is_ours = is_ours && replace(".init_array : ALIGN(8)", ". = _mog_behind_first;\n    .init_array : ALIGN(8)");
    if (!is_ours) return Error{fmt::format("{} is another version's", tools.lib("mog.ld").string())};
    return text;
}

// What it says goes to a file.
Command without_output(const Command &command, const std::string &file) {
    Command quiet{"sh", "-c", "said=$1; shift; exec \"$@\" >\"$said\" 2>&1", "sh", file};
    quiet.insert(quiet.end(), command.begin(), command.end());
    return quiet;
}

// Links with constants apart, and says what the linker says, if that works and they are worth it. If not nothing is said: it is linked
// again.
Result<bool> links_with_enough(const Command &command, const std::string &output) {
    const Result<fs::path> said = temporary_file("linker.txt");
    if (!said) return said.error();
    const Result<int> status = run_command(without_output(command, said->string()));
    if (!status) return status.error();
    std::error_code none;
    if (*status != 0 || !fs::exists(output, none)) return false;
    const Result<std::vector<std::uint8_t>> elf = read_file(output);
    if (!elf) return elf.error();
    if (bytes_of_constants(*elf) < worth_sharing) return false;
    const Result<std::string> text = read_text_file(*said);
    if (!text) return text.error();
    say_text(*text);
    return true;
}

}  // namespace

Result<std::string> linker_folder(const Toolchain &tools) {
    const Result<fs::path> link = temporary_file(linker_name);
    if (!link) return link.error();
    std::error_code failed;
    if (!fs::is_symlink(*link)) fs::create_symlink(tools.self, *link, failed);
    if (failed) return Error{fmt::format("cannot make {}: {}", link->string(), failed.message())};
    return link->parent_path().string() + '/';
}

bool is_linker(const char *argv0) { return fs::path(argv0).filename() == linker_name; }

Result<int> run_linker(const char *argv0, const std::vector<std::string> &arguments) {
    const Result<std::string> linker = linker_of_gcc(fs::path(argv0).parent_path());
    if (!linker) return linker.error();
    Command command{*linker};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Result<Toolchain> tools = find_toolchain();
    if (!tools) return tools.error();
    const auto last_o = std::find(command.rbegin(), command.rend(), "-o");
    const auto script = std::ranges::find(command, tools->lib("mog.ld").string());
    if (last_o == command.rend() || last_o == command.rbegin() || script == command.end()) return run_command(command);
    const std::string output = *std::prev(last_o);
    Command apart = command;
    const auto prepare_apart = [&]() -> Result<void> {
        const Result<std::string> text = script_with_constants_apart(*tools);
        if (!text) return text.error();
        const Result<fs::path> place = temporary_file("constants.ld");
        if (!place) return place.error();
        apart[static_cast<std::size_t>(script - command.begin())] = place->string();
        return write_text_file(*place, *text);
    };
    // The C++ library has enough of them, in most programs; so these are linked once.
    const bool likely = std::ranges::find(command, "-lstdc++") != command.end();
    if (likely) {
        MOG_TRY(prepare_apart());
        const Result<bool> done = links_with_enough(apart, output);
        if (!done) return done.error();
        if (*done) return 0;
    }
    const Result<int> status = run_command(command);
    std::error_code none;
    if (!status || *status != 0 || likely || !fs::exists(output, none)) return status;  // -Wl,--version writes nothing
    const Result<std::vector<std::uint8_t>> elf = read_file(output);
    if (!elf) return elf.error();
    if (bytes_of_constants(*elf) < worth_sharing) return 0;
    MOG_TRY(prepare_apart());
    Command quiet = without_output(apart, "/dev/null");  // the first one has said it
    const Result<int> second = run_command(quiet);
    if (!second) return second.error();
    if (*second != 0) MOG_TRY(write_file(output, *elf, 0777));
    return 0;
}

}  // namespace mog
