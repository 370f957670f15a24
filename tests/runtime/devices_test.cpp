// devices_test.cpp: what every device must do alike, with a small program in assembly. That every instruction means the
// same everywhere is tested in tests/isa.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "assembler/assemble.hpp"
#include "assembler/image/spaces.hpp"
#include "assembler/text/parse.hpp"
#include "runtime_host/devices/cuda/cuda_device.hpp"
#include "runtime_host/devices/open_device.hpp"
#include "runtime_host/devices/opencl/opencl_device.hpp"
#include "runtime_host/service/service_loop.hpp"

using namespace mog;

namespace {

// PE r adds up r, r-1, ... 1 in "sum", stores bytes around it, then exits with the sum's low byte; PE 5 meets a null
// pointer.
constexpr const char *source = R"(
main:   li   0x10000004
        lw
        sr   $v1
        sr   $t0
        li   0
        sr   $t1
loop:   lr   $t0
        jf   done
        add  $t1
        sr   $t1
        lr   $t0
        addi -1
        sr   $t0
        ja   loop
done:   li   sum
        sr   $t2
        lr   $t1
        sw   $t2
        lr   $v1
        xori 5
        jt   fine
        lw
fine:   li   4001
        sr   $v0
        lr   $t1
        sr   $a0
        sys  0
        brk  0
.data
sum:    .word 0, 0x11223344
)";
constexpr std::uint32_t sum_at = MOG_DATA_BASE + 32;
constexpr std::uint32_t data_bytes = 8192;

Image program() {
    Result<MogProgram> parsed = parse(source, "devices_test");
    REQUIRE_MESSAGE(bool(parsed), (parsed ? "" : parsed.error().text()));
    Result<Image> image = assemble(*parsed, {});
    REQUIRE_MESSAGE(bool(image), (image ? "" : image.error().text()));
    return *std::move(image);
}

LoadConfig config_for(std::uint32_t nproc, std::uint32_t bytes = data_bytes) {
    LoadConfig config;
    config.nproc = nproc;
    config.data_words = bytes / 4;
    config.startup = {1, MOG_DATA_BASE + 100, 0, 0};
    config.count = true;
    return config;
}

Op opcode_at(const Image &image, std::uint32_t at) { return static_cast<Op>(image.text.at(at) >> 8); }

/// Runs all PEs to their stop, `passes` at a time; the records ascending by PE.
std::vector<Request> run_all(Device &device, std::uint32_t nproc, std::uint32_t passes) {
    std::vector<Request> all;
    std::vector<std::uint32_t> active(nproc);
    std::iota(active.begin(), active.end(), 0u);
    for (int launch = 0; !active.empty(); launch++) {
        REQUIRE(launch < 100'000);
        Result<std::vector<Request>> stopped = device.run(active, passes);
        REQUIRE_MESSAGE(bool(stopped), (stopped ? "" : stopped.error().text()));
        std::uint32_t last = 0;
        for (const Request &q : *stopped) {
            CHECK(q[MOG_Q_PE] >= last);
            last = q[MOG_Q_PE];
            all.push_back(q);
            std::erase(active, q[MOG_Q_PE]);
        }
    }
    std::sort(all.begin(), all.end(), [](const Request &a, const Request &b) { return a[MOG_Q_PE] < b[MOG_Q_PE]; });
    return all;
}

void check_runs(Device &device, const Image &image, std::uint32_t nproc, std::uint32_t passes, std::uint32_t bytes = data_bytes,
                Engine engine = Engine::Auto) {
    LoadConfig config = config_for(nproc, bytes);
    config.engine = engine;
    Result<void> loaded = device.load(image, config);
    REQUIRE_MESSAGE(bool(loaded), (loaded ? "" : loaded.error().text()));
    std::vector<Request> stops = run_all(device, nproc, passes);
    REQUIRE(stops.size() == nproc);
    std::uint64_t instructions = 0;
    for (std::uint32_t pe = 0; pe < nproc; pe++) {
        CAPTURE(pe);
        const Request &q = stops[pe];
        CHECK(q[MOG_Q_PE] == pe);
        CHECK(q[MOG_Q_SP] == MOG_DATA_BASE + bytes - 16);
        instructions += 6 + 8ull * pe + 2 + 7;
        if (pe == 5) {
            CHECK(q[MOG_Q_STOP] == MOG_STOP_LOAD_RANGE);
            CHECK(q[MOG_Q_INFO] == 0);
            CHECK(opcode_at(image, q[MOG_Q_PC]) == Op::lw_);
        } else {
            CHECK(q[MOG_Q_STOP] == MOG_STOP_SYS);
            CHECK(q[MOG_Q_NUMBER] == 4001);
            CHECK(q[MOG_Q_ARG] == pe * (pe + 1) / 2);
            CHECK(opcode_at(image, q[MOG_Q_PC] - 1) == Op::sys_);
            instructions += 5;
        }
    }
    Result<DeviceStats> stats = device.stats();
    REQUIRE(stats);
    CHECK(stats->counted);
    CHECK(stats->executed == instructions);
}

/// Bytes of any alignment, in and out, of the first and last PE; and a register.
void check_transfers(Device &device, std::uint32_t nproc) {
    std::vector<std::uint8_t> in(64), out(64, 0xee);
    std::iota(in.begin(), in.end(), std::uint8_t{1});
    const std::vector<Transfer> put{
        {nproc - 1, MOG_DATA_BASE + 101, 7, 0, false}, {0, MOG_DATA_BASE + 104, 12, 8, false}, {nproc - 1, MOG_S_REGS, 4, 24, true}};
    const std::vector<Transfer> get{{0, MOG_DATA_BASE + 105, 3, 4, false},
                                    {nproc - 1, MOG_DATA_BASE + 100, 12, 8, false},
                                    {nproc - 1, MOG_S_REGS, 4, 20, true},
                                    {nproc - 1, MOG_DATA_BASE + 4 * MOG_CB_IPROC, 4, 24, false}};
    REQUIRE(device.scatter(put, in));
    REQUIRE(device.gather(get, out));
    CHECK(std::vector<int>(out.begin() + 4, out.begin() + 7) == std::vector<int>{10, 11, 12});
    CHECK(std::vector<int>(out.begin() + 8, out.begin() + 20) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0});
    CHECK(std::vector<int>(out.begin() + 20, out.begin() + 24) == std::vector<int>{25, 26, 27, 28});
    std::uint32_t iproc;
    std::memcpy(&iproc, out.data() + 24, 4);
    CHECK(iproc == nproc - 1);

    // So long that a device may divide them among several threads, at an odd address and at an even one.
    std::vector<std::uint8_t> many(2500), back(2500);
    for (std::size_t i = 0; i < many.size(); i++) many[i] = static_cast<std::uint8_t>(i * 13 + i / 256);
    for (const std::uint32_t address : {MOG_DATA_BASE + 1003, MOG_DATA_BASE + 1004}) {
        const std::vector<Transfer> whole{{nproc - 1, address, 2499, 0, false}};
        REQUIRE(device.scatter(whole, many));
        REQUIRE(device.gather(whole, back));
        CHECK(std::equal(many.begin(), many.begin() + 2499, back.begin()));
    }
}

}  // namespace

TEST_CASE("reference: stops, counts, slices of any length, transfers") {
    Image image = program();
    for (std::uint32_t passes : {1u, 7u, 1000u}) {
        CAPTURE(passes);
        auto device = open_device("reference", image);
        REQUIRE(device);
        check_runs(**device, image, 37, passes);
        check_transfers(**device, 37);
    }
}

TEST_CASE("reference: a trace has a line for each instruction of the chosen PEs") {
    Image image = program();
    auto device = open_device("reference", image);
    REQUIRE(device);
    std::vector<std::string> lines;
    LoadConfig config = config_for(3);
    config.trace = [&](std::string_view line) { lines.emplace_back(line); };
    config.trace_ranks = {2};
    REQUIRE((*device)->load(image, config));
    run_all(**device, 3, 1000);
    REQUIRE(lines.size() == 6 + 8 * 2 + 2 + 7 + 5);
    CHECK(lines[0].find("[2]") == 0);
    CHECK(lines[0].find(" li    0x10000004 ") != std::string::npos);
    CHECK(lines[1].find("ACC 00000002") != std::string::npos);
}

TEST_CASE("unknown devices are named") {
    Image image = program();
    for (const char *id : {"nonsense", "opencl:x", "reference:1", "host:1"}) {
        auto device = open_device(id, image);
        REQUIRE_FALSE(device);
        CHECK(device.error().message.find(id) != std::string::npos);
    }
    // MOG's interpreter has all instructions, but knows of no memory besides a PE's own.
    CHECK(open_device("host", image));
    add_space(image, {"board", 0x20000000, 64}, "", "");
    auto host = open_device("host", image);
    REQUIRE_FALSE(host);
    CHECK(host.error().message.find("no interpreter compiled") != std::string::npos);
    CHECK(list_devices(&image, nullptr).back().id == "reference");
}

TEST_SUITE_BEGIN("opencl");

TEST_CASE("opencl: the same as the reference machine") {
    if (list_opencl_devices(nullptr, nullptr).empty()) return;
    Image image = program();
    for (std::uint32_t passes : {3u, 1000u}) {
        auto device = open_device("opencl", image);
        REQUIRE(device);
        check_runs(**device, image, 37, passes);
        check_transfers(**device, 37);
    }
}

TEST_CASE("opencl: one run after the other, by the interpreter of any program, the program's own, and that again") {
    if (list_opencl_devices(nullptr, nullptr).empty()) return;
    Image image = program();
    auto device = open_device("opencl", image);
    REQUIRE(device);
    for (const Engine engine : {Engine::Auto, Engine::Switch, Engine::Sequence, Engine::Auto}) {
        check_runs(**device, image, 37, 1000, data_bytes, engine);
        const Result<DeviceStats> stats = (*device)->stats();
        REQUIRE(stats);
        if ((*device)->info().is_gpu) continue;
        CHECK((stats->engine.find("of any program") != std::string::npos) == (engine == Engine::Auto));
    }
}

TEST_CASE("opencl: more DATA than one buffer may hold") {
    if (list_opencl_devices(nullptr, nullptr).empty()) return;
    Image image = program();
    auto device = open_device("opencl", image);
    REQUIRE(device);
    if ((*device)->info().is_gpu) return;  // on a CPU untouched memory costs nothing
    check_runs(**device, image, 150, 1000, 16u << 20);
    check_transfers(**device, 150);
}

TEST_CASE("opencl: what does not fit is refused in a sentence") {
    if (list_opencl_devices(nullptr, nullptr).empty()) return;
    Image image = program();
    auto device = open_device("opencl", image);
    REQUIRE(device);
    LoadConfig config = config_for(16);
    config.work_group = 1u << 20;
    Result<void> loaded = (*device)->load(image, config);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().message.find("work-group") != std::string::npos);

    image.products.set_text(ProductKind::opencl, "no C\n");
    auto other = open_device("opencl", image);
    REQUIRE(other);
    LoadConfig own = config_for(1);
    own.engine = Engine::Switch;  // not by the interpreter of any program
    loaded = (*other)->load(image, own);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().message.find("clBuildProgram") != std::string::npos);
    CHECK(loaded.error().message.find("CL_BUILD_PROGRAM_FAILURE") != std::string::npos);
    CHECK_FALSE(open_device("opencl:99", image));
}

TEST_SUITE_END();

// On a card, or on tests/cuda's stand-in for one.
TEST_SUITE_BEGIN("cuda");

TEST_CASE("cuda: the same as the reference machine") {
    REQUIRE_FALSE(list_cuda_devices(nullptr, nullptr).empty());
    Image image = program();
    for (const Engine engine : {Engine::Sequence, Engine::Switch, Engine::Blocks})
        for (std::uint32_t passes : {3u, 1000u}) {
            CAPTURE(passes);
            auto device = open_device("cuda", image);
            REQUIRE(device);
            check_runs(**device, image, 77, passes, data_bytes, engine);
            check_transfers(**device, 77);
        }
}

TEST_CASE("cuda: lists what fits the device, with its place first") {
    Image image = program();
    const std::vector<DeviceInfo> list = list_devices(&image, nullptr);
    REQUIRE_FALSE(list.empty());
    CHECK(list.front().id == "cuda:0");
    CHECK(list.front().is_gpu);
    CHECK(list.front().lanes == 32);
    CHECK(list.front().fill_pes % 32 == 0);
    CHECK(list.front().fill_pes > 0);
    image.products.erase(ProductKind::cuda);
    CHECK(list_devices(&image, nullptr).front().id.find("cuda") == std::string::npos);
}

TEST_CASE("cuda: what does not fit is refused in a sentence") {
    Image image = program();
    const auto refusal = [&](auto &&change) {
        Image other = image;
        LoadConfig config = config_for(64);
        change(other, config);
        auto device = open_device("cuda", other);
        REQUIRE(device);
        const Result<void> loaded = (*device)->load(other, config);
        REQUIRE_FALSE(loaded);
        return loaded.error().message;
    };
    CHECK(refusal([](Image &, LoadConfig &c) { c.work_group = 1u << 20; }).find("has room for") != std::string::npos);
    CHECK(refusal([](Image &, LoadConfig &c) { c.warp = 8; }).find("--warp=8") != std::string::npos);
    CHECK(refusal([](Image &, LoadConfig &c) { c.engine = Engine::Lanes; }).find("--engine=lanes") != std::string::npos);
    CHECK(refusal([](Image &i, LoadConfig &c) {
              i.products.erase(ProductKind::entries);
              c.engine = Engine::Blocks;
          }).find("no compiled code") != std::string::npos);
    CHECK(refusal([](Image &, LoadConfig &c) { c.data_words = 1u << 28; }).find("; pass --mem=") != std::string::npos);
    CHECK(refusal([](Image &i, LoadConfig &) { i.products.erase(ProductKind::cuda); }).find("no CUDA interpreter") != std::string::npos);
    const std::string wrong = refusal([](Image &i, LoadConfig &) { i.products.set_text(ProductKind::cuda, "no C\n"); });
    CHECK(wrong.find("nvrtcCompileProgram") != std::string::npos);
    CHECK(wrong.find("interpreter.cu") != std::string::npos);
    auto none = open_device("cuda:99", image);
    REQUIRE_FALSE(none);
    CHECK(none.error().message.find("cuda:99") != std::string::npos);
}

TEST_SUITE_END();
