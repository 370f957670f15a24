// mogcc_target.cpp: any bytes as the command line of mogcc, a word per line. A line that begins with @ is the text of a response
// file.
#include <sys/mman.h>
#include <unistd.h>

#include "mogcc/command_line.hpp"
#include "support/subprocess.hpp"
#include "support/text.hpp"
#include "tests/fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using mog::fuzz::require;
    static const int file = memfd_create("words", MFD_CLOEXEC);
    std::vector<std::string> words;
    for (std::string_view line : mog::split_lines({reinterpret_cast<const char *>(data), size})) {
        if (line.starts_with('@')) {
            line.remove_prefix(1);
            // Response files inside of it are those of the machine, which no input shall read.
            if (line.find('@') != line.npos) continue;
            require(ftruncate(file, 0) == 0 && pwrite(file, line.data(), line.size(), 0) == std::ssize(line), "no file");
            words.push_back(fmt::format("@/proc/self/fd/{}", file));
        } else {
            words.emplace_back(line.substr(0, line.find('\0')));
        }
    }
    const auto line = mog::parse_command_line("mogcc", words);
    if (!line) {
        require(!line.error().message.empty(), "an error without a sentence");
        return 0;
    }
    mog::quote(line->gcc_arguments);
    return 0;
}
