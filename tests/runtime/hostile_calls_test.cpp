// hostile_calls_test.cpp: system calls with arguments that no library would pass, on a device that follows a script: the service
// answers or refuses each, and --strace shows it.
#include <doctest/doctest.h>

#include <filesystem>

#include "fake_device.hpp"

using namespace mog;
using namespace mog::test;

namespace {

constexpr std::uint32_t data_bytes = 4096;

/// Numbers at which something changes: bounds of DATA, of signed numbers, of descriptors; each flag alone.
std::vector<std::uint32_t> awkward_numbers() {
    std::vector<std::uint32_t> numbers = {0,
                                          3,
                                          7,
                                          1023,
                                          1024,
                                          4097,
                                          MOG_DATA_BASE - 1,
                                          MOG_DATA_BASE,
                                          MOG_DATA_BASE + 64,
                                          MOG_DATA_BASE + data_bytes - 9,
                                          MOG_DATA_BASE + data_bytes - 1,
                                          MOG_DATA_BASE + data_bytes,
                                          0x7fffffff,
                                          0xffffff9c,
                                          0xfffffffe,
                                          0xffffffff};
    for (int bit = 0; bit < 32; bit++) numbers.push_back(1u << bit);
    return numbers;
}

}  // namespace

TEST_CASE("--strace shows any call with any arguments") {
    const std::vector<std::uint32_t> numbers = awkward_numbers();
    const std::filesystem::path before = std::filesystem::current_path();
    char name[] = "/tmp/mog-hostile-XXXXXX";
    std::filesystem::current_path(mkdtemp(name));
    std::size_t calls = 0;
    for (const SyscallRow &row : syscall_rows()) {
        if (row.name.starts_with("mog_")) continue;  // not of Linux; MPI has tests of its own
        FakeDevice device(1, data_bytes);
        const Image image = small_image();
        Transcript t;
        RunConfig config = config_for(1, data_bytes, t);
        config.options.strace = true;
        // "f" is a path, whatever address between it and its end is taken; elsewhere DATA is zero.
        device.put(0, MOG_DATA_BASE + data_bytes - 9, std::string_view("f\0f\0f\0f\0", 8));
        std::uint64_t random = row.number;
        const auto any = [&] {
            random = random * 6364136223846793005u + 1442695040888963407u;
            return numbers[(random >> 33) % numbers.size()];
        };
        // One argument at a time, the others small; then all of them at once.
        std::vector<std::vector<std::uint32_t>> lists;
        for (std::size_t n = 0; n < row.arguments.size(); n++)
            for (const std::uint32_t number : numbers) {
                std::vector<std::uint32_t> arguments(7, 1);
                arguments[0] = MOG_DATA_BASE + 64;
                arguments[n] = number;
                lists.push_back(arguments);
            }
        for (int i = 0; i < 300; i++) {
            std::vector<std::uint32_t> arguments(7);
            for (std::uint32_t &argument : arguments) argument = any();
            lists.push_back(arguments);
        }
        for (const std::vector<std::uint32_t> &arguments : lists) {
            // They would wait, or end the PE.
            const bool waits = (row.name == "poll" && arguments[2] != 0 && arguments[1] < 1024) || row.name == "nanosleep";
            if (waits || row.name.starts_with("exit") || row.name == "kill" || row.name == "tgkill") continue;
            device.step({system_call(0, row.number, arguments)});
            calls++;
        }
        config.options.timeout = 20;
        ServiceLoop loop(device, image, config);
        const Result<RunResult> result = loop.run();
        REQUIRE(result);
        CHECK_MESSAGE(result->status == 0, row.name);
    }
    CHECK(calls > 20000);
    std::filesystem::current_path(before);
    std::filesystem::remove_all(name);
}
