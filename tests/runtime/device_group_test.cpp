// device_group_test.cpp: several scripted devices as one: whose PEs are whose, what passes between them, and what goes wrong.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "runtime_host/devices/group/device_group.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;
using namespace mog::test;

namespace {

constexpr std::uint32_t data_bytes = 4096;

/// A fake device that can be asked what was done with it, and made to fail.
struct Fake {
    FakeDevice device{16, data_bytes};
    std::uint32_t loaded = 0;  ///< PEs; 0: none
    std::string load_error;
    std::uint64_t room = UINT64_MAX;
    bool keeps = true, throws = false;
    std::vector<std::uint32_t> passes;
};

/// Passes everything on, so that the test keeps what the group owns.
class Lent final : public Device {
public:
    Lent(Fake &fake, DeviceInfo info) : fake_(fake), info_(std::move(info)) {}
    const DeviceInfo &info() const override { return info_; }
    std::uint64_t bytes_per_pe(const Image &, std::uint32_t words) const override { return 4ull * words; }
    Result<std::uint64_t> room(const Image &, std::uint32_t) override { return fake_.room; }
    Result<void> load(const Image &, const LoadConfig &config) override {
        if (!fake_.load_error.empty()) return Error{fake_.load_error};
        fake_.loaded = config.nproc;
        return {};
    }
    Result<std::vector<Request>> run(std::span<const std::uint32_t> active, std::uint32_t passes,
                                     std::span<const std::uint32_t> own_passes) override {
        if (fake_.throws) throw std::bad_alloc();
        fake_.passes.push_back(passes);
        return fake_.device.run(active, passes, own_passes);
    }
    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override {
        // Some devices overwrite what lies between.
        std::memset(staging.data(), 0xee, staging.size());
        return fake_.device.gather(transfers, staging);
    }
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override {
        return fake_.device.scatter(transfers, staging);
    }
    bool unload() override {
        fake_.loaded = 0;
        return fake_.keeps;
    }
    Result<DeviceStats> stats() override {
        DeviceStats stats;
        stats.executed = fake_.loaded;
        stats.counted = true;
        return stats;
    }
    Result<RunCounts> counts() override { return RunCounts{{1, fake_.loaded}, {0, 1}, {{1, 2, fake_.loaded}}}; }

private:
    Fake &fake_;
    DeviceInfo info_;
};

struct Group {
    Image image = small_image();
    Fake fakes[3];
    LoadConfig config;
    std::vector<std::string> said;
    int opened = 0;
    std::unique_ptr<DeviceGroup> group;

    Group(const std::vector<double> &weights, bool all) {
        std::vector<DeviceGroup::Member> members;
        for (std::size_t i = 0; i < weights.size(); i++) members.push_back({make(i), weights[i]});
        group = std::make_unique<DeviceGroup>(std::move(members), all, [this](const std::string &id) -> Result<std::unique_ptr<Device>> {
            opened++;
            return make(static_cast<std::size_t>(id.back() - '0'));
        });
        config.data_words = data_bytes / 4;
        config.say = [this](std::string_view text) { said.emplace_back(text); };
    }
    std::unique_ptr<Device> make(std::size_t i) {
        DeviceInfo info;
        info.id = "fake:" + std::to_string(i);
        info.fill_pes = 2;
        info.is_gpu = i == 1;
        info.memory_bytes = 1 << 20;
        return std::make_unique<Lent>(fakes[i], std::move(info));
    }
    Result<void> load(std::uint32_t pes) {
        config.nproc = pes;
        return group->load(image, config);
    }
    std::uint32_t word(std::size_t fake, std::uint32_t pe, std::uint32_t index) {
        std::uint32_t value = 0;
        std::memcpy(&value, fakes[fake].device.get(pe, MOG_DATA_BASE + 4 * index, 4).data(), 4);
        return value;
    }
};

}  // namespace

TEST_CASE("a group numbers PEs, and each device runs its own") {
    Group g({1, 2, 1}, false);
    CHECK(g.group->info().id == "fake:0,fake:1,fake:2");
    CHECK(g.group->info().fill_pes == 6);
    CHECK_FALSE(g.group->info().is_gpu);
    REQUIRE(g.load(8));
    CHECK(g.fakes[0].loaded == 2);
    CHECK(g.fakes[1].loaded == 4);
    CHECK(g.fakes[2].loaded == 2);
    CHECK(g.word(0, 1, MOG_CB_IPROC) == 1);
    CHECK(g.word(1, 0, MOG_CB_IPROC) == 2);
    CHECK(g.word(2, 1, MOG_CB_IPROC) == 7);
    CHECK(g.word(2, 1, MOG_CB_NPROC) == 8);

    g.fakes[1].device.step({system_call(1, 4020), system_call(3, 4020)});
    const std::uint32_t active[] = {0, 3, 4, 5};
    Result<std::vector<Request>> stopped = g.group->run(active, 1000, {});
    REQUIRE(stopped);
    REQUIRE(stopped->size() == 3);  // PE 0 exits, for its script is over
    CHECK((*stopped)[0][MOG_Q_PE] == 0);
    CHECK((*stopped)[1][MOG_Q_PE] == 3);
    CHECK((*stopped)[2][MOG_Q_PE] == 5);
    CHECK(g.fakes[0].device.launched == std::vector<std::vector<std::uint32_t>>{{0}});
    CHECK(g.fakes[1].device.launched == std::vector<std::vector<std::uint32_t>>{{1, 2, 3}});
    CHECK(g.fakes[2].device.launched.empty());

    const std::uint32_t last[] = {1, 2, 7}, own[] = {5, 6, 7};
    REQUIRE(g.group->run(last, 0, own));
    CHECK(g.fakes[0].device.passes.back() == std::vector<std::uint32_t>{5});
    CHECK(g.fakes[1].device.passes.back() == std::vector<std::uint32_t>{6});
    CHECK(g.fakes[2].device.passes.back() == std::vector<std::uint32_t>{7});
}

TEST_CASE("a group moves bytes of all its devices at once") {
    Group g({1, 1}, false);
    REQUIRE(g.load(4));
    g.fakes[0].device.put(1, MOG_DATA_BASE + 100, "abc");
    g.fakes[1].device.put(0, MOG_DATA_BASE + 200, "defgh");
    g.fakes[1].device.state[{1, 9}] = 0x31323334;
    const std::vector<Transfer> transfers = {
        {2, MOG_DATA_BASE + 200, 5, 12, false}, {1, MOG_DATA_BASE + 100, 3, 4, false}, {3, 9, 4, 24, true}};
    std::vector<std::uint8_t> staging(28, '.');
    REQUIRE(g.group->gather(transfers, staging));
    CHECK(std::string(staging.begin(), staging.end()) == "....abc.....defgh.......4321");
    std::memcpy(staging.data(), "....ABC.....DEFGH.......5678", 28);
    REQUIRE(g.group->scatter(transfers, staging));
    CHECK(g.fakes[0].device.get(1, MOG_DATA_BASE + 100, 4) == std::string("ABC\0", 4));
    CHECK(g.fakes[1].device.get(0, MOG_DATA_BASE + 200, 5) == "DEFGH");
    CHECK(g.fakes[1].device.state[{1, 9}] == 0x38373635);
    REQUIRE(g.group->gather({}, {}));
}

TEST_CASE("fewer PEs than devices") {
    Group g({1, 3, 1}, false);
    REQUIRE(g.load(1));
    CHECK(g.fakes[0].loaded == 0);
    CHECK(g.fakes[1].loaded == 1);
    const std::uint32_t active[] = {0};
    CHECK(g.group->run(active, 10, {})->size() == 1);
    CHECK(g.group->stats()->parts.size() == 1);
}

TEST_CASE("a device that fails is named, whoever's thread drives it") {
    for (const std::size_t bad : {0, 1}) {
        Group g({1, 1}, false);
        REQUIRE(g.load(4));
        const std::uint32_t active[] = {0, 1, 2, 3};
        g.fakes[bad].device.script.push_back([](auto) { return Error{"the card burns"}; });
        Result<std::vector<Request>> stopped = g.group->run(active, 10, {});
        REQUIRE_FALSE(stopped);
        CHECK(stopped.error().message == fmt::format("fake:{}: the card burns", bad));
        g.fakes[bad].device.gather_fails = true;
        std::vector<std::uint8_t> staging(8);
        const std::vector<Transfer> transfers = {{0, MOG_DATA_BASE, 4, 0, false}, {2, MOG_DATA_BASE, 4, 4, false}};
        CHECK(g.group->gather(transfers, staging).error().message == fmt::format("fake:{}: the fake device lost its memory", bad));
        g.fakes[bad].throws = true;
        CHECK_THROWS_AS((void)g.group->run(active, 10, {}), std::bad_alloc);
        g.fakes[bad].throws = false;
        CHECK(g.group->run(active, 10, {}));
    }
}

TEST_CASE("all: what cannot be loaded is left out; in a list it is an error") {
    for (const bool all : {true, false}) {
        Group g({0, 0, 0}, all);
        g.fakes[0].load_error = "fake:0 has no doubles";
        g.fakes[2].room = 0;
        Result<void> loaded = g.load(6);
        if (!all) {
            REQUIRE_FALSE(loaded);
            CHECK(loaded.error().message == "fake:2 has no room for a PE with 4K of memory; lower --mem");
            g.fakes[2].room = 6;
            CHECK(g.load(6).error().message == "fake:0 has no doubles");
            continue;
        }
        REQUIRE(loaded);
        CHECK(g.said == std::vector<std::string>{"without fake:2: fake:2 has no room for a PE with 4K of memory; lower --mem",
                                                 "without fake:0: fake:0 has no doubles"});
        CHECK(g.group->info().id == "fake:1");
        CHECK(g.fakes[1].loaded == 6);
        CHECK(g.word(1, 5, MOG_CB_IPROC) == 5);
        const std::uint32_t active[] = {5};
        CHECK(g.group->run(active, 10, {})->front()[MOG_Q_PE] == 5);
    }
    Group none({0, 0}, true);
    none.fakes[0].load_error = none.fakes[1].load_error = "is off";
    CHECK(none.load(2).error().message == "fake:1: is off");
    CHECK(none.said == std::vector<std::string>{"without fake:0: is off"});
    Group small({1, 1}, true);
    small.fakes[0].room = 3;
    small.fakes[1].room = 2;
    CHECK(small.load(6).error().message == "6 PEs with 4 KiB each do not fit fake:0,fake:1: pass -n 5 or less");
    REQUIRE(small.load(5));
    CHECK(small.fakes[0].loaded == 3);
}

TEST_CASE("a group is loaded again, and opens anew what keeps nothing") {
    Group g({1, 1}, false);
    REQUIRE(g.load(4));
    g.fakes[0].keeps = false;
    CHECK(g.group->unload());
    CHECK(g.fakes[1].loaded == 0);
    REQUIRE(g.load(6));
    CHECK(g.opened == 1);
    CHECK(g.fakes[0].loaded == 3);
    g.fakes[1].keeps = false;
    CHECK_FALSE(g.group->unload());
}

TEST_CASE("what devices counted is added up") {
    Group g({1, 3}, false);
    REQUIRE(g.load(8));
    Result<RunCounts> counts = g.group->counts();
    REQUIRE(counts);
    CHECK(counts->executed == std::vector<std::uint64_t>{2, 8});
    CHECK(counts->taken == std::vector<std::uint64_t>{0, 2});
    REQUIRE(counts->jumps.size() == 1);
    CHECK(counts->jumps[0].count == 8);
    Result<DeviceStats> stats = g.group->stats();
    CHECK(stats->executed == 8);
    CHECK(stats->parts[1].first == 2);
    CHECK(stats->parts[1].count == 6);
    CHECK(stats->parts[1].stats.executed == 6);
}

TEST_CASE("a slow device gets shorter launches, unless their length is asked for") {
    for (const bool fixed : {false, true}) {
        Group g({1, 1}, false);
        g.config.fixed_slices = fixed;
        REQUIRE(g.load(4));
        const auto takes = [](int milliseconds) {
            return [=](auto) -> Result<std::vector<Request>> {
                std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
                return std::vector<Request>();
            };
        };
        const std::uint32_t active[] = {0, 1, 2, 3};
        for (int i = 0; i < 2; i++) {
            g.fakes[0].device.script.push_back(takes(1));
            g.fakes[1].device.script.push_back(takes(40));
            REQUIRE(g.group->run(active, 1'000'000, {}));
        }
        CHECK(g.fakes[0].passes == std::vector<std::uint32_t>{1'000'000, 1'000'000});
        CHECK(g.fakes[1].passes[0] == 1'000'000);
        if (fixed) CHECK(g.fakes[1].passes[1] == 1'000'000);
        else CHECK(g.fakes[1].passes[1] < 500'000);
    }
}
