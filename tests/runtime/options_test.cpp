// options_test.cpp: values of options, good and bad.
#include <doctest/doctest.h>

#include <set>

#include "runtime_host/config/options.hpp"
#include "runtime_host/linux/syscalls.hpp"
#include "runtime_host/output/ranks.hpp"
#include "support/sizes.hpp"

using namespace mog;

TEST_CASE("sizes") {
    CHECK(parse_size("64K") == 65536);
    CHECK(parse_size("1m") == 1048576);
    CHECK(parse_size("2G") == 2147483648);
    CHECK(parse_size("17") == 17);
    for (const char *bad : {"", "K", "-1", "1.5M", "99999999999999G", "1KB", "0x10"}) CHECK_FALSE(parse_size(bad));
}

TEST_CASE("lists of ranks") {
    CHECK(parse_ranks("0,3-5") == std::vector<std::uint32_t>{0, 3, 4, 5});
    CHECK(parse_ranks("5,5,1") == std::vector<std::uint32_t>{1, 5});
    for (const char *bad : {"", ",", "1-", "-1", "5-3", "a", "0-4294967295"}) CHECK_FALSE(parse_ranks(bad));
}

TEST_CASE("each setting refuses nonsense and names it") {
    for (const Setting &setting : settings()) {
        if (setting.value.starts_with("FILE") || setting.value == "NAME") continue;  // any name will do
        Options options;
        Result<void> read = setting.read(options, "nonsense!");
        REQUIRE_FALSE(read);
        CHECK(read.error().message.find("\"nonsense!\" is not ") == 0);
    }
}

TEST_CASE("variables") {
    setenv("MOG_NPROC", "12", 1);
    setenv("MOG_MEM", "256K", 1);
    Options options;
    REQUIRE(read_environment(options));
    CHECK(options.nproc == 12);
    CHECK(options.memory == 262144);
    setenv("MOG_NPROC", "0", 1);
    Result<void> bad = read_environment(options);
    REQUIRE_FALSE(bad);
    CHECK(bad.error().message == "MOG_NPROC: \"0\" is not a number of PEs from 1 to 16777216");
    unsetenv("MOG_NPROC");
    unsetenv("MOG_MEM");
}

TEST_CASE("every letter of syscalls.def is one the service loop knows, and lengths follow their buffers") {
    for (const SyscallRow &row : syscall_rows()) {
        CHECK(find_syscall(row.number) == &row);
        CHECK(row.arguments.size() <= 8);
        CHECK(row.arguments.find_first_not_of("fduxsprwijtTaqklzy") == std::string_view::npos);
        std::size_t inputs = 0;
        for (std::size_t n = 0; n < row.arguments.size(); n++) {
            inputs += fetched_letters.find(row.arguments[n]) != std::string_view::npos;
            if (std::string_view("rwijq").find(row.arguments[n]) != std::string_view::npos) CHECK(row.arguments.substr(n + 1, 1) == "u");
        }
        CHECK(inputs <= 2);
    }
    CHECK(find_syscall(0) == nullptr);
    CHECK(find_syscall(4002) == nullptr);
    CHECK(find_syscall(0xffffffff) == nullptr);
}
