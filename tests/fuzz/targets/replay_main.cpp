// replay_main.cpp: a fuzz target as an ordinary program: calls it with files instead of libFuzzer's inputs.
//
//   TARGET [--damage N] FILE-OR-FOLDER ...
//
// --damage N: and with each file cut short at every byte (at N places if it is longer), with N times some bits turned over, and
// with N words replaced by absurd ones; the same damage each time. A crash, 20 seconds for one input or more than 2 GiB end the
// program; the input is then left in `last_input` in the current folder.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <vector>

#include "support/files/files.hpp"
#include "support/random.hpp"
#include "tests/fuzz/targets/target.hpp"

extern "C" __attribute__((weak)) void mog_fuzz_repair(std::uint8_t *, std::size_t) {}

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr unsigned seconds_per_input = 20;
constexpr std::uint32_t absurd_words[] = {0xffffffffu, 0x7fffffffu, 0x80000000u, 0x10000000u, 0x00ffffffu, 0xfffffff8u, 0};

const Bytes *current = nullptr;
std::size_t calls = 0;

/// Keeps the input that the target did not survive. Only what is allowed in a signal handler.
void keep_input(int signal) {
    constexpr char text[] = "the target did not survive last_input\n";
    const int file = creat("last_input", 0666);
    if (file >= 0 && current && write(file, current->data(), current->size()) >= 0) {
        [[maybe_unused]] auto told = write(STDERR_FILENO, text, sizeof text - 1);
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

void call(const Bytes &input) {
    current = &input;
    alarm(seconds_per_input);
    LLVMFuzzerTestOneInput(input.data(), input.size());
    ++calls;
}

/// Damage that a checksum would find is tried with the checksum set right, too.
void call_damaged(Bytes input) {
    call(input);
    const Bytes before = input;
    mog_fuzz_repair(input.data(), input.size());
    if (input != before) call(input);
}

void damage(const Bytes &good, std::size_t count) {
    mog::Random random(good.size());
    const std::size_t cuts = std::min(good.size(), count);
    for (std::size_t i = 0; i < cuts; ++i) call_damaged({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(good.size() * i / cuts)});
    if (good.size() < 4) return;
    for (std::size_t i = 0; i < count; ++i) {
        Bytes bad = good;
        for (std::uint32_t flips = 1 + random.below(3); flips != 0; --flips)
            bad[random.below(bad.size())] ^= static_cast<std::uint8_t>(1u << random.below(8));
        call_damaged(std::move(bad));
    }
    for (std::size_t i = 0; i < count; ++i) {
        Bytes bad = good;
        const std::uint32_t word = absurd_words[random.below(std::size(absurd_words))];
        std::memcpy(&bad[random.below(bad.size() / 4) * 4], &word, 4);
        call_damaged(std::move(bad));
    }
}

void limit_memory() {
#ifndef __SANITIZE_ADDRESS__
    const rlimit most{std::uint64_t{2} << 30, std::uint64_t{2} << 30};
    setrlimit(RLIMIT_AS, &most);
#endif
}

}  // namespace

int main(int argc, char **argv) {
    std::size_t count = 0;
    std::vector<std::filesystem::path> files;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--damage") == 0 && i + 1 < argc) {
            const char *number = argv[++i];
            std::from_chars(number, number + std::strlen(number), count);
        } else if (std::filesystem::is_directory(argv[i])) {
            for (const auto &entry : std::filesystem::directory_iterator(argv[i])) files.push_back(entry.path());
        } else {
            files.emplace_back(argv[i]);
        }
    }
    std::sort(files.begin(), files.end());
    limit_memory();
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM, SIGILL}) std::signal(signal, keep_input);
    std::size_t inputs = 0;
    for (const auto &path : files) {
        const auto bytes = mog::read_file(path);
        mog::fuzz::require(bool(bytes), bytes ? "" : bytes.error().text());
        call(*bytes);
        if (count != 0) damage(*bytes, count);
        ++inputs;
    }
    fmt::print(stderr, "{} inputs, {} calls\n", inputs, calls);
    return inputs != 0 ? 0 : 1;
}
