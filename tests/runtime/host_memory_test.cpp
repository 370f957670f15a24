// host_memory_test.cpp: how much memory the control groups of a process leave it.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "runtime_host/device/host_memory.hpp"

using namespace mog;
namespace fs = std::filesystem;

namespace {

/// A /proc/self/cgroup and a /sys/fs/cgroup of the test's own.
struct Groups {
    Groups() {
        char name[] = "/tmp/mog-groups-XXXXXX";
        base = mkdtemp(name);
    }
    Groups(const Groups &) = delete;
    ~Groups() { fs::remove_all(base); }

    void put(const std::string &file, const std::string &text) const {
        fs::create_directories((base / file).parent_path());
        std::ofstream(base / file) << text << "\n";
    }
    std::uint64_t limit() const { return control_group_limit(base / "self", base / "sys"); }

    fs::path base;
};

}  // namespace

TEST_CASE("memory: the limit of the process's own control group, version 2") {
    Groups groups;
    groups.put("self", "0::/user.slice/run-1.scope");
    groups.put("sys/user.slice/run-1.scope/memory.max", "max");
    CHECK(groups.limit() == UINT64_MAX);
    groups.put("sys/user.slice/run-1.scope/memory.max", "100000");
    groups.put("sys/other.slice/memory.max", "5");
    CHECK(groups.limit() == 100000);
    SUBCASE("a parent has less") {
        groups.put("sys/user.slice/memory.max", "70000");
        CHECK(groups.limit() == 70000);
    }
    SUBCASE("it is slowed down before") {
        groups.put("sys/user.slice/run-1.scope/memory.high", "60000");
        CHECK(groups.limit() == 60000);
    }
}

TEST_CASE("memory: the limit of the process's own control group, version 1") {
    Groups groups;
    groups.put("self", "12:cpu,cpuacct:/batch\n5:blkio,memory:/batch/job7\n1:name=systemd:/x\n0::/");
    groups.put("sys/memory/memory.limit_in_bytes", "9223372036854771712");
    groups.put("sys/memory/batch/memory.limit_in_bytes", "4096000");
    groups.put("sys/memory/batch/job7/memory.limit_in_bytes", "8192000");
    CHECK(groups.limit() == 4096000);
}

TEST_CASE("memory: in a container the group's path is not there, and its limit stands at the top") {
    Groups groups;
    SUBCASE("version 2") {
        groups.put("self", "0::/docker/abc");
        groups.put("sys/memory.max", "1234");
    }
    SUBCASE("version 1") {
        groups.put("self", "3:memory:/docker/abc");
        groups.put("sys/memory/memory.limit_in_bytes", "1234");
    }
    SUBCASE("a group outside") {
        groups.put("self", "0::/../../other");
        groups.put("sys/memory.max", "1234");
    }
    CHECK(groups.limit() == 1234);
}
