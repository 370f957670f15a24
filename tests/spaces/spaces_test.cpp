// spaces_test.cpp: a second space, "board", that all PEs see. It is a page of definitions (space_board.h, and one for lanes), which the
// image of the test brings; no engine knows of it.
//
//     spaces_test FOLDER DEVICE [switch|sequence|blocks|avx512|avx2|portable]        exit status 77: there is no such device here
//
// Each PE writes its word, half, byte and double on the board, and words and parts of words at odd places. When all have stopped, they go
// on, and each copies what its neighbour wrote to its own memory, where the host looks. At last some leave the board: misaligned, or behind
// its end, where the PE has to stop with that address.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "assembler/assemble.hpp"
#include "assembler/image/encode.hpp"
#include "assembler/image/spaces.hpp"
#include "assembler/text/parse.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/open_device.hpp"
#include "support/compilers/host_compiler.hpp"
#include "support/files/files.hpp"
#include "tests/isa/host_products.hpp"

namespace mog::test {
namespace {

constexpr int skipped = 77;
constexpr std::uint32_t pes = 40, data_words = 1024, board = 0x20000000, slot_bytes = 64, board_bytes = pes * slot_bytes;
constexpr std::uint32_t copy_at = 0x10000100;  ///< in DATA: what a PE copies to

/// Register x is the PE's slot, y its neighbour's, z a copy; p, q a pair. Both loops make code that is worth compiling for lanes.
std::string program_text() {
    std::string text = R"(
        .register sp ra v0 a0 a1 a2 a3 x y z n p q
start:  li    3
        sr    $n
again:  lr    $p
        addi  0x01020304
        sr    $z
        lr    $x
        stw   $z
        lr    $x
        addi  6
        sth   $z
        lr    $x
        addi  9
        stb   $z
        lr    $x
        addi  16
        std   $p
        lr    $x
        addi  25
        stu   $z
        lr    $x
        addi  34
        stl   $z
        lr    $x
        addi  41
        str   $z
        lr    $z
        sw    $x
        lr    $n
        addi  -1
        sr    $n
        jt    again
        brk   1
second: li    0
        sr    $n
copy:   lr    $n
        add   $y
        lw
        sr    $z
        lr    $n
        addi  )" + fmt::format("{:#x}", copy_at) +
                       R"(
        stw   $z
        lr    $n
        addi  4
        sr    $n
        sltui 64
        jt    copy
        lr    $y
        addi  9
        lb
        sr    $a0
        lr    $y
        addi  6
        lhu
        sr    $a1
        lr    $y
        addi  16
        lwd
        srd   $p
        lr    $y
        addi  25
        lwu
        sr    $a2
        lr    $y
        addi  34
        lwl   $a3
        sr    $a3
        lr    $y
        addi  41
        lwr   $a3
        sr    $a3
        brk   2
third:  lr    $y
        lw
        brk   3
)";
    return text;
}

int fail(const std::string &message) {
    fmt::print(stderr, "{}\n", message);
    return 1;
}

std::span<std::uint8_t> bytes(std::vector<std::uint32_t> &words) {
    return {reinterpret_cast<std::uint8_t *>(words.data()), 4 * words.size()};
}

/// What a PE has on the board at last, as words from its slot on.
std::vector<std::uint32_t> written_by(std::uint32_t p, std::uint32_t q) {
    std::vector<std::uint8_t> slot(slot_bytes);
    const std::uint32_t z = p + 0x01020304;
    const auto put = [&](std::uint32_t at, std::uint32_t value, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) slot[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    };
    put(0, z, 4);
    put(6, z, 2);
    put(9, z, 1);
    put(16, p, 4);
    put(20, q, 4);
    put(25, z, 4);
    put(32, z >> 8, 3);  // stl at 34: bytes 32 to 34, the high ones
    put(41, z, 3);       // str at 41: bytes 41 to 43, the low ones
    std::vector<std::uint32_t> words(slot_bytes / 4);
    std::memcpy(words.data(), slot.data(), slot_bytes);
    return words;
}

class Test {
public:
    Test(Device &device, const Image &image) : device_(device), image_(image) {}

    /// Sets PCs, and registers by name; runs until all have stopped.
    Result<std::vector<Request>> run_from(const std::string &label, std::uint32_t passes) {
        const auto at = std::ranges::find(image_.labels, label) - image_.labels.begin();
        std::vector<std::uint32_t> pcs(pes, image_.label_at[static_cast<std::size_t>(at)]);
        MOG_TRY(set_row(MOG_S_PC, pcs));
        std::vector<Request> stopped(pes);
        std::vector<std::uint32_t> active(pes);
        std::iota(active.begin(), active.end(), 0u);
        for (int launch = 0; !active.empty(); ++launch) {
            if (launch == 1000) return Error{"a PE does not stop", {}};
            auto requests = device_.run(active, passes);
            if (!requests) return requests.error();
            for (const Request &request : *requests) {
                stopped[request[MOG_Q_PE]] = request;
                std::erase(active, request[MOG_Q_PE]);
            }
        }
        return stopped;
    }
    Result<void> set_register(const char *name, std::vector<std::uint32_t> &values) { return set_row(row(name), values); }
    Result<std::vector<std::uint32_t>> get_register(const char *name) {
        std::vector<std::uint32_t> values(pes);
        MOG_TRY(device_.gather(transfers(row(name)), bytes(values)));
        return values;
    }

private:
    std::uint32_t row(const char *name) const {
        return MOG_S_REGS + static_cast<std::uint32_t>(std::ranges::find(image_.register_names, name) - image_.register_names.begin());
    }
    Result<void> set_row(std::uint32_t row, std::vector<std::uint32_t> &values) { return device_.scatter(transfers(row), bytes(values)); }
    static std::vector<Transfer> transfers(std::uint32_t row) {
        std::vector<Transfer> list;
        for (std::uint32_t pe = 0; pe < pes; ++pe) list.push_back({pe, row, 4, 4 * pe, true});
        return list;
    }

    Device &device_;
    const Image &image_;
};

int run(const std::string &folder, const std::string &device_id, std::string_view engine_name) {
    if (device_id.starts_with("opencl")) {
        bool present = false;
        for (const DeviceInfo &info : list_devices(nullptr, nullptr)) present |= info.id.starts_with("opencl");
        if (!present) return fmt::print("skipped: no OpenCL device here\n"), skipped;
    }
    const auto program = parse(program_text(), "spaces.mog");
    if (!program) return fail(program.error().text());
    auto image = encode(*program);
    if (!image) return fail(image.error().text());
    const auto page = read_text_file(folder + "/space_board.h"), lanes_page = read_text_file(folder + "/space_board_lanes.h");
    if (!page || !lanes_page) return fail("a page of the space is missing");
    add_space(*image, {"board", board, board_bytes}, *page, *lanes_page);

    AssembleOptions options;
    options.order.seconds = 0.01;
    const std::optional<LaneSet> lanes = lane_set(engine_name);
    if (lanes && !runs_here(*lanes)) return skipped;
    const bool compiles = lanes || engine_name == "blocks";
    options.blocks.build_seconds = 0;
    options.blocks.all = compiles;
    if (lanes) options.blocks.lanes = lanes->simd;
    options.blocks.all_in_lanes = true;
    if (auto added = add_interpreters(*image, options); !added) return fail(added.error().text());
    if (device_id == "host")
        if (auto compiled = compile_host(*image, "", lanes, HostParts::all); !compiled) return fail(compiled.error().text());
    auto device = open_device(device_id, *image);
    if (!device) return fail(device.error().text());
    LoadConfig config;
    config.engine = engine_name == "switch"     ? Engine::Switch
                    : engine_name == "sequence" ? Engine::Sequence
                    : engine_name == "blocks"   ? Engine::Blocks
                    : lanes                     ? Engine::Lanes
                                                : Engine::Auto;
    config.nproc = pes;
    config.data_words = data_words;
    config.startup.assign(2, 0);
    if (auto loaded = (*device)->load(*image, config); !loaded) return fail(loaded.error().text());

    Test test(**device, *image);
    std::vector<std::uint32_t> slots(pes), neighbours(pes), p(pes), q(pes);
    const auto neighbour = [](std::uint32_t pe) { return (pe * 7 + 3) % pes; };
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
        slots[pe] = board + slot_bytes * pe;
        neighbours[pe] = board + slot_bytes * neighbour(pe);
        p[pe] = (pe + 1) * 0x9e3779b1u;
        q[pe] = (pe + 1) * 0x85ebca6bu;
    }
    const std::uint32_t passes = compiles ? 2000 : 7;
    for (const auto &[name, values] : {std::pair{"x", &slots}, {"y", &neighbours}, {"p", &p}, {"q", &q}})
        if (auto done = test.set_register(name, *values); !done) return fail(done.error().text());
    int wrong = 0;
    const auto check = [&](std::uint32_t pe, const std::string &what, std::uint32_t got, std::uint32_t wanted) {
        if (got == wanted) return;
        ++wrong;
        fmt::print(stderr, "PE {}: {} is {:#010x}, should be {:#010x}\n", pe, what, got, wanted);
    };
    for (const auto &[label, number] : {std::pair{"start", 1u}, {"second", 2u}}) {
        const auto stopped = test.run_from(label, passes);
        if (!stopped) return fail(stopped.error().text());
        for (std::uint32_t pe = 0; pe < pes; ++pe) {
            check(pe, "why it stopped", (*stopped)[pe][MOG_Q_STOP], MOG_STOP_BREAK);
            check(pe, "where it stopped", (*stopped)[pe][MOG_Q_INFO], number);
        }
    }
    std::vector<std::uint32_t> copies(pes * slot_bytes / 4);
    std::vector<Transfer> list;
    for (std::uint32_t pe = 0; pe < pes; ++pe) list.push_back({pe, copy_at, slot_bytes, pe * slot_bytes, false});
    if (auto done = (*device)->gather(list, bytes(copies)); !done) return fail(done.error().text());
    const auto a0 = test.get_register("a0"), a1 = test.get_register("a1"), a2 = test.get_register("a2"), a3 = test.get_register("a3"),
               low = test.get_register("p"), high = test.get_register("q");
    if (!a0 || !a1 || !a2 || !a3 || !low || !high) return fail("registers cannot be read");
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
        const std::uint32_t other = neighbour(pe), z = p[other] + 0x01020304;
        const auto wanted = written_by(p[other], q[other]);
        for (std::uint32_t i = 0; i < slot_bytes / 4; ++i)
            check(pe, fmt::format("word {} of its neighbour", i), copies[pe * slot_bytes / 4 + i], wanted[i]);
        check(pe, "a byte", (*a0)[pe], static_cast<std::uint32_t>(static_cast<std::int32_t>(z << 24) >> 24));
        check(pe, "a half", (*a1)[pe], z & 0xffff);
        check(pe, "an unaligned word", (*a2)[pe], z);
        check(pe, "parts of words", (*a3)[pe], z);
        check(pe, "the low word of a pair", (*low)[pe], p[other]);
        check(pe, "the high word of a pair", (*high)[pe], q[other]);
    }
    // Some within it, some where nothing is, some misaligned, some in private memory.
    std::vector<std::uint32_t> places(pes);
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
        const std::uint32_t all[] = {board + 4 * pe, board + board_bytes, board + 2, copy_at};
        places[pe] = all[pe % 4];
    }
    if (auto done = test.set_register("y", places); !done) return fail(done.error().text());
    const auto stopped = test.run_from("third", passes);
    if (!stopped) return fail(stopped.error().text());
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
        const std::uint32_t why[] = {MOG_STOP_BREAK, MOG_STOP_LOAD_RANGE, MOG_STOP_LOAD_ALIGN, MOG_STOP_BREAK};
        check(pe, "why it stopped at last", (*stopped)[pe][MOG_Q_STOP], why[pe % 4]);
        check(pe, "what it stopped for at last", (*stopped)[pe][MOG_Q_INFO], why[pe % 4] == MOG_STOP_BREAK ? 3 : places[pe]);
    }
    fmt::print("{}: {} differences\n", device_id, wrong);
    return wrong ? 1 : 0;
}

}  // namespace
}  // namespace mog::test

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4) {
        fmt::print(stderr, "usage: spaces_test FOLDER DEVICE [switch|sequence|blocks|avx512|avx2|portable]\n");
        return 2;
    }
    return mog::test::run(argv[1], argv[2], argc == 4 ? argv[3] : "");
}
