// binutils.cpp: objects and archives are MIPS's, so all is done by the programs for these. Executables of mogcc are no such files: what
// strip takes out of them is taken here.
#include "mogcc/binutils.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "assembler/image/image.hpp"
#include "mogcc/toolchain.hpp"
#include "support/subprocess.hpp"
#include "support/text.hpp"

namespace mog {

namespace {

// Those with a plug-in for objects of -flto, which gcc has beside the plain ones.
constexpr std::string_view have_plugin[] = {"ar", "nm", "ranlib"};

// strip's options whose argument is the next word.
constexpr std::string_view takes_next_word[] = {"-F", "-I", "-K", "-N", "-O", "-R", "-o"};

// Names and lines go. Comments in the sources of interpreters stay, unlike with mogcc -s.
Result<void> strip_executable(const std::string &path, const std::string &output) {
    Result<Image> image = load_image(path);
    if (!image) return image.error();
    image->symbols.clear();
    image->files.clear();
    image->lines.clear();
    for (std::size_t i = 0; i < image->labels.size(); ++i) image->labels[i] = fmt::format("L{}", i);
    return write_executable(output, path, *image);
}

// Returns only if it fails.
Error run_as(const Command &command) {
    std::vector<char *> words;
    for (const std::string &word : command) words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    return Error{fmt::format("cannot run {}: {}; on Debian: apt-get install gcc-mipsel-linux-gnu (or name another in MOG_CROSS)",
                             command[0], std::strerror(errno))};
}

}  // namespace

std::optional<std::string> binutils_program(std::string_view name) {
    name = name.substr(name.rfind('/') + 1);  // npos + 1 is 0
    for (const std::string &program : split_words(MOG_BINUTILS))
        if (name == "mog" + program) return program;
    return {};
}

Result<int> run_binutils(const std::string &program, const std::vector<std::string> &arguments) {
    std::string name = cross_prefix() + program;
    if (std::ranges::find(have_plugin, program) != std::end(have_plugin))
        if (const std::string with_plugin = cross_prefix() + "gcc-" + program; program_exists(with_plugin)) name = with_plugin;
    Command others{name};
    bool has_others = false;
    std::string output;
    std::vector<std::string> own;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string &word = arguments[i];
        if (program == "strip" && word.starts_with("-o") && word.size() > 2) output = word.substr(2);
        if (program == "strip" && !word.starts_with('-') && has_image(word)) {
            own.push_back(word);
            continue;
        }
        others.push_back(word);
        if (program == "strip" && i + 1 < arguments.size() && std::ranges::find(takes_next_word, word) != std::end(takes_next_word)) {
            if (word == "-o") output = arguments[i + 1];
            others.push_back(arguments[++i]);
        } else if (!word.starts_with('-')) {
            has_others = true;
        }
    }
    if (!own.empty() && !output.empty() && (own.size() > 1 || has_others))
        return Error{"-o names the output of one file, and there are several"};
    for (const std::string &path : own)
        if (Result<void> done = strip_executable(path, output.empty() ? path : output); !done) return done.error();
    if (!own.empty() && !has_others) return 0;
    return run_as(others);
}

}  // namespace mog
