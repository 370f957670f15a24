// pointers_test.cpp: every pointer that a system call takes, bent in every way. The fake device fails the test if the loop
// asks it for anything out of a PE's memory.
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <random>

#include "runtime_host/linux/guest_abi.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;
using namespace mog::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t bytes = 4096, base = MOG_DATA_BASE, end = base + bytes;
constexpr std::uint32_t row_v0 = MOG_S_REGS + 2, row_a3 = MOG_S_REGS + 7;
constexpr std::uint32_t EFAULT_MIPS = EFAULT, EINVAL_MIPS = EINVAL;

// What is where in the memory of the PE. All else is zero, but for its last byte.
constexpr std::uint32_t at_file = base + 0x100, at_link = base + 0x140, at_new = base + 0x180, at_vector = base + 0x200,
                        at_scratch = base + 0x400;

/// A directory with a file and a link, which is the PE's root.
struct Box {
    Box() {
        char name[] = "/tmp/mog-pointers-XXXXXX";
        path = mkdtemp(name);
        std::ofstream(path / "file") << "some text";
        fs::create_symlink("file", path / "link");
        fs::create_directory(path / "folder");
        paths = *HostPaths::make({path.string(), false, false, 64});
    }
    Box(const Box &) = delete;
    ~Box() { fs::remove_all(path); }

    fs::path path;
    std::shared_ptr<const HostPaths> paths;
};

/// Makes one call as a PE that has a file open as 3 and a folder as 4. Returns what is in $v0; `failed` is $a3. A call that
/// does not return gives 0.
std::uint32_t make_call(const Box &box, const SyscallRow &row, const std::vector<std::uint32_t> &args, std::uint32_t *failed,
                        double timeout = 0) {
    Transcript seen;
    FakeDevice device(1, bytes);
    device.put(0, at_file, "/file");
    device.put(0, at_link, "/link");
    device.put(0, at_new, "/new");
    device.put(0, base + 0x1c0, "/folder");
    std::uint8_t vector[8];
    guest::put32(vector, at_scratch);
    guest::put32(vector + 4, 4);
    device.put(0, at_vector, {reinterpret_cast<const char *>(vector), 8});
    device.put(0, end - 1, "x");
    Image image = small_image();
    RunConfig config = config_for(1, bytes, seen);
    config.paths = box.paths;
    config.options.timeout = timeout;
    device.step({system_call(0, 4005, {at_file, 2, 0})});
    device.step({system_call(0, 4005, {base + 0x1c0, 0, 0})});
    device.step({system_call(0, row.number, args)});
    *failed = 0;
    std::uint32_t result = 0;
    device.script.push_back([&](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
        result = device.state[{0, row_v0}];
        *failed = device.state[{0, row_a3}];
        return std::vector<Request>{system_call(0, 4001, {0})};
    });
    ServiceLoop loop(device, image, config);
    REQUIRE(loop.run());
    return result;
}

/// Arguments with which the call has nothing to complain about but the one that a test changes.
std::vector<std::uint32_t> good_arguments(const SyscallRow &row) {
    std::vector<std::uint32_t> args;
    for (std::size_t n = 0; n < row.arguments.size(); n++) {
        const bool first = args.empty();
        switch (row.arguments[n]) {
            case 'f':
                args.push_back(n < row.trace.size() && row.trace[n] == 'D' ? guest::AT_FDCWD_MIPS : row.name == "getdents64" ? 4 : 3);
                break;
            case 's':
                args.push_back(row.name.starts_with("readlink") ? at_link : first || row.arguments[0] != 's' ? at_file : at_new);
                break;
            case 'i':
            case 'j': args.push_back(at_vector); break;
            case 'q': args.push_back(at_scratch); break;
            case 'r':
            case 'w':
            case 'p':
            case 't':
            case 'T':
            case 'a':
            case 'l': args.push_back(at_scratch); break;
            case 'u': {
                const char before = n ? row.arguments[n - 1] : ' ';
                args.push_back(before == 'r' || before == 'w'                                   ? 256
                               : std::string_view("ijq").find(before) != std::string_view::npos ? 1
                                                                                                : 0);
                break;
            }
            default: args.push_back(0);
        }
    }
    if (row.name.starts_with("fcntl")) args[1] = 14;  // F_GETLK
    if (row.name == "sched_getaffinity") args[1] = 128;
    if (row.name == "ioctl") args[1] = guest::FIONREAD_MIPS;
    if (row.name.starts_with("rt_sig")) args[row.name == "rt_sigaction" ? 0 : 3] = row.name == "rt_sigaction" ? 10 : 16;
    if (row.name == "rt_sigaction") args[3] = 16;
    if (row.name.ends_with("statfs64")) args[1] = guest::statfs64_bytes_MIPS;
    return args;
}

/// Whether a null pointer means "none" there.
bool may_be_null(const SyscallRow &row, std::size_t n) {
    const char letter = row.arguments[n];
    if (letter == 'T' || letter == 'a') return true;
    return letter == 'p' && (row.name == "time" || row.name == "times" || row.name == "gettimeofday" || row.name == "clock_getres" ||
                             row.name.starts_with("rt_sig"));
}

}  // namespace

TEST_CASE("every pointer of every call: EFAULT if it is not the PE's memory, to its last byte") {
    Box box;
    std::size_t tried = 0;
    for (const SyscallRow &row : syscall_rows())
        for (std::size_t n = 0; n < row.arguments.size(); n++) {
            if (std::string_view("srwijtTaqpl").find(row.arguments[n]) == std::string_view::npos) continue;
            // A sleep that is not interrupted tells no rest; Linux does not look at the address either.
            if (row.name == "nanosleep" && n == 1) continue;
            for (std::uint32_t bad :
                 {0u, 1u, 0x400000u, base - 4, base - 1, end - 1, end, 0x7fffffffu, 0x80000000u, 0xfffffffcu, 0xffffffffu}) {
                std::vector<std::uint32_t> args = good_arguments(row);
                args[n] = bad;
                if (bad == 0 && may_be_null(row, n)) continue;
                std::uint32_t failed, result = make_call(box, row, args, &failed);
                INFO(row.name, " argument ", n, " = ", bad);
                CHECK(failed == 1);
                CHECK(result == EFAULT_MIPS);
                tried++;
            }
        }
    CHECK(tried > 600);
}

TEST_CASE("lengths without end: an error, and nothing moves") {
    Box box;
    for (const SyscallRow &row : syscall_rows())
        for (std::size_t n = 0; n + 1 < row.arguments.size(); n++) {
            const char letter = row.arguments[n];
            if (std::string_view("rwijq").find(letter) == std::string_view::npos) continue;
            for (std::uint32_t length : {bytes, 0x7fffffffu, 0x80000000u, 0xfffffff0u, 0xffffffffu}) {
                std::vector<std::uint32_t> args = good_arguments(row);
                args[n + 1] = length;
                std::uint32_t failed, result = make_call(box, row, args, &failed);
                INFO(row.name, " length ", length);
                // A path and a name of a directory are shorter than their room, which then need not be there.
                if (failed == 0 && (row.name.starts_with("readlink") || row.name == "getcwd")) continue;
                CHECK(failed == 1);
                CHECK((result == EFAULT_MIPS || result == EINVAL_MIPS));
            }
        }
}

TEST_CASE("parts of readv and writev: each is checked, and so is what they come to") {
    Box box;
    for (std::uint32_t number : {4145u, 4146u}) {
        const SyscallRow &row = *find_syscall(number);
        auto with_part = [&](std::uint32_t address, std::uint32_t length, std::uint32_t count) {
            Transcript seen;
            FakeDevice device(1, bytes);
            device.put(0, at_file, "/file");
            std::vector<std::uint8_t> vector(8 * std::size_t{count});
            for (std::size_t i = 0; i < count; i++) {
                guest::put32(&vector[8 * i], address);
                guest::put32(&vector[8 * i + 4], length);
            }
            device.put(0, at_vector, {reinterpret_cast<const char *>(vector.data()), vector.size()});
            Image image = small_image();
            RunConfig config = config_for(1, bytes, seen);
            config.paths = box.paths;
            device.step({system_call(0, 4005, {at_file, 2, 0})});
            device.step({system_call(0, row.number, {3, at_vector, count})});
            std::uint32_t result = 0;
            device.script.push_back([&](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
                result = device.state[{0, row_v0}];
                return std::vector<Request>{system_call(0, 4001, {0})};
            });
            REQUIRE(ServiceLoop(device, image, config).run());
            return result;
        };
        CHECK(with_part(end - 2, 4, 1) == EFAULT_MIPS);
        CHECK(with_part(at_scratch, 0xffffffffu, 1) == EFAULT_MIPS);
        CHECK(with_part(0, 1, 1) == EFAULT_MIPS);
        CHECK(with_part(0, 0, 3) == 0);
        CHECK(with_part(base, bytes, 100) <= bytes);
    }
}

TEST_CASE("whatever the arguments are, the loop keeps to the PE's memory") {
    Box box;
    std::mt19937 random(1);
    constexpr std::uint32_t values[] = {0,       1,       3,    4,           8,           at_file,     at_new,      at_vector,  at_scratch,
                                        end - 1, end - 8, 4095, 0x7fffffffu, 0x80000000u, 0xfffffff0u, 0xffffffffu, 0xffffff9cu};
    for (const SyscallRow &row : syscall_rows()) {
        if (row.arguments.empty()) continue;
        for (int round = 0; round < 25; round++) {
            std::vector<std::uint32_t> args(8);
            for (std::uint32_t &arg : args) arg = values[random() % std::size(values)];
            // Some wait for what never comes.
            std::uint32_t failed, result = make_call(box, row, args, &failed, 0.02);
            INFO(row.name);
            CHECK((failed == 0 || (result > 0 && result < 1200)));
        }
    }
}
