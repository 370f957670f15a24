// device_split_test.cpp: who gets which share of the work, without a device.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

#include "runtime_host/devices/group/device_list.hpp"
#include "runtime_host/devices/group/device_split.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;
using Counts = std::vector<std::uint32_t>;

namespace {

constexpr std::uint64_t plenty = UINT64_MAX;

Counts split(std::uint32_t pes, const std::vector<DeviceShare> &devices) {
    const auto counts = split_pes(pes, devices);
    REQUIRE(counts);
    CHECK(std::accumulate(counts->begin(), counts->end(), 0u) == pes);
    return *counts;
}

DeviceInfo device(std::string id, bool is_gpu = false, bool is_nvidia = false) {
    DeviceInfo info;
    info.id = std::move(id);
    info.is_gpu = is_gpu;
    info.is_nvidia = is_nvidia;
    return info;
}

std::vector<std::string> all_of(const std::vector<DeviceInfo> &devices) {
    std::vector<std::string> ids;
    for (const WantedDevice &wanted : choose_all(devices)) ids.push_back(wanted.id);
    return ids;
}

}  // namespace

TEST_CASE("PEs are shared out by speed") {
    CHECK(split(100, {{1, plenty}, {1, plenty}}) == Counts{50, 50});
    CHECK(split(100, {{3, plenty}, {1, plenty}}) == Counts{75, 25});
    CHECK(split(10, {{1, plenty}, {1, plenty}, {1, plenty}}) == Counts{4, 3, 3});
    CHECK(split(1u << 24, {{0.5, plenty}, {1.5, plenty}}) == Counts{1u << 22, 3u << 22});
}

TEST_CASE("a slow device gets a PE all the same, if there are enough") {
    CHECK(split(1000, {{1e6, plenty}, {1, plenty}}) == Counts{999, 1});
    CHECK(split(3, {{1e6, plenty}, {1, plenty}, {1, plenty}}) == Counts{1, 1, 1});
    CHECK(split(2, {{1e6, plenty}, {1, plenty}, {1, plenty}}) == Counts{2, 0, 0});
    CHECK(split(1, {{1, plenty}, {2, plenty}}) == Counts{0, 1});
    CHECK(split(1, {{1, plenty}, {1, plenty}}) == Counts{1, 0});
}

TEST_CASE("no device gets more than it has room for, and what is left goes to the others by speed") {
    CHECK(split(100, {{3, 20}, {1, plenty}}) == Counts{20, 80});
    CHECK(split(100, {{8, 10}, {3, plenty}, {1, plenty}}) == Counts{10, 68, 22});
    // Full ones make others full.
    CHECK(split(100, {{8, 10}, {4, 30}, {1, plenty}}) == Counts{10, 30, 60});
    CHECK(split(30, {{1, 10}, {1, 20}}) == Counts{10, 20});
    CHECK(split(10, {{1, 0}, {1, plenty}}) == Counts{0, 10});
    CHECK_FALSE(split_pes(31, std::vector<DeviceShare>{{1, 10}, {1, 20}}));
    CHECK_FALSE(split_pes(1, std::vector<DeviceShare>{{1, 0}, {1, 0}}));
}

TEST_CASE("launches of slow devices are shorter") {
    CHECK(split_passes(1'000'000, std::vector<double>{0.1, 0.2}) == Counts{1'000'000, 500'000});
    CHECK(split_passes(1'000'000, std::vector<double>{0.4, 0.1, 0.1}) == Counts{250'000, 1'000'000, 1'000'000});
    // Nothing is known at first, and a little is tried of what is not.
    CHECK(split_passes(1'000'000, std::vector<double>{0, 0}) == Counts{1'000'000, 1'000'000});
    CHECK(split_passes(1'000'000, std::vector<double>{0.1, 0}) == Counts{1'000'000, 10'000});
    // Short ones stay as they are.
    CHECK(split_passes(20'000, std::vector<double>{0.1, 1000}) == Counts{20'000, 10'000});
    CHECK(split_passes(500, std::vector<double>{0.1, 1000}) == Counts{500, 500});
    CHECK(split_passes(1u << 31, std::vector<double>{1, 1e9}) == Counts{1u << 31, 10'000});
}

TEST_CASE("the pace of launches") {
    LaunchPace pace(4);
    CHECK(pace.seconds(4, 1000) == 0);
    pace.ran(4, 4, 1000, 0.1);  // all stopped before their passes were used
    CHECK(pace.seconds(4, 1000) == 0);
    pace.ran(4, 1, 1000, 0.1);
    CHECK(pace.seconds(4, 1000) == doctest::Approx(0.1));
    CHECK(pace.seconds(4, 3000) == doctest::Approx(0.3));
    CHECK(pace.seconds(1, 1000) == doctest::Approx(0.1));
    CHECK(pace.seconds(5, 1000) == doctest::Approx(0.2));
    pace.ran(8, 0, 1000, 0.1);  // twice as fast: half of it is believed
    CHECK(pace.seconds(4, 1500) == doctest::Approx(0.1));
}

TEST_CASE("speeds are remembered for the same program on the same devices") {
    const auto folder = std::filesystem::temp_directory_path() / ("mog-speeds-" + std::to_string(getpid()));
    const char *const before = std::getenv("MOG_CACHE_DIR");
    const std::string kept(before ? before : "");
    setenv("MOG_CACHE_DIR", folder.c_str(), 1);
    Image image = test::small_image();
    LoadConfig config;
    config.nproc = 100;
    const std::vector<DeviceInfo> devices = {device("a"), device("b")};
    const RememberedSpeeds speeds(image, devices, config);
    CHECK_FALSE(speeds.find());
    speeds.learn(Counts{50, 50}, std::vector<double>{0.01, 0.02});  // too short to say anything
    speeds.learn(Counts{100, 0}, std::vector<double>{1, 0});
    CHECK_FALSE(speeds.find());
    speeds.learn(Counts{50, 50}, std::vector<double>{0.1, 0.3});
    REQUIRE(speeds.find());
    CHECK((*speeds.find())[0] == doctest::Approx(0.75));
    CHECK((*speeds.find())[1] == doctest::Approx(0.25));
    speeds.learn(Counts{75, 25}, std::vector<double>{1, 1});
    CHECK((*speeds.find())[0] == doctest::Approx(0.75));
    speeds.learn(Counts{50, 50}, std::vector<double>{1, 1});
    CHECK((*speeds.find())[0] == doctest::Approx(0.625));

    config.nproc = 127;
    CHECK(RememberedSpeeds(image, devices, config).find());
    config.nproc = 128;
    CHECK_FALSE(RememberedSpeeds(image, devices, config).find());
    config.nproc = 100;
    CHECK_FALSE(RememberedSpeeds(image, std::vector<DeviceInfo>{device("a"), device("c")}, config).find());
    config.engine = Engine::Sequence;
    CHECK_FALSE(RememberedSpeeds(image, devices, config).find());
    config.engine = Engine::Auto;
    image.text.push_back(0);
    CHECK_FALSE(RememberedSpeeds(image, devices, config).find());
    std::filesystem::remove_all(folder);
    if (before) setenv("MOG_CACHE_DIR", kept.c_str(), 1);
    else unsetenv("MOG_CACHE_DIR");
}

TEST_CASE("lists of devices") {
    const auto ids = [](std::string_view text) {
        const Result<std::vector<WantedDevice>> list = parse_device_list(text);
        REQUIRE(list);
        std::string out;
        for (const WantedDevice &wanted : *list) out += fmt::format("{} {};", wanted.id, wanted.weight);
        return out;
    };
    CHECK(ids("host") == "host 0;");
    CHECK(ids("all") == "all 0;");
    CHECK(ids("cuda:0,opencl:1,host") == "cuda:0 0;opencl:1 0;host 0;");
    CHECK(ids("cuda=3,reference=0.5") == "cuda 3;reference 0.5;");
    for (const char *bad : {"", ",", "host,", "host,auto", "all,host", "all=2", "host:1", "opencl:x", "host=", "host=0", "host=-1",
                            "host=inf", "host=nan", "host=2x", "host=1,cuda", "host,cuda=1"})
        CHECK_FALSE(parse_device_list(bad));
}

TEST_CASE("all: every GPU once, and the CPU once") {
    const DeviceInfo card = device("cuda:0", true, true), same = device("opencl:0", true, true), other = device("opencl:1", true),
                     host = device("host"), pocl = device("opencl:2"), reference = device("reference");
    CHECK(all_of({card, same, other, host, pocl, reference}) == std::vector<std::string>{"cuda:0", "opencl:1", "host"});
    CHECK(all_of({same, other, pocl, reference}) == std::vector<std::string>{"opencl:0", "opencl:1", "opencl:2"});
    CHECK(all_of({host, pocl, pocl, reference}) == std::vector<std::string>{"host"});
    CHECK(all_of({reference}) == std::vector<std::string>{"reference"});
}
