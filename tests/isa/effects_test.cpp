// effects_test.cpp: runs every line of ops.txt, one PE per line, on one device, and compares all of each PE afterwards.
//
//     isa_effects ops.txt DEVICE [native|soft|pair|fcsr|sectors|avx512|avx2|portable|generic]     exit status 77: there is no such device
//     here
//
// native, soft and pair: who computes floats and doubles. fcsr: with the lines that are about the FPU's control register too, which
// changes the interpreter of all.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "assembler/assemble.hpp"
#include "assembler/text/parse.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/open_device.hpp"
#include "support/compilers/host_compiler.hpp"
#include "tests/isa/host_products.hpp"
#include "tests/isa/op_rows.hpp"

namespace mog::test {
namespace {

constexpr int skipped = 77;

/// All of a PE: state rows, then DATA.
struct Pe {
    std::vector<std::uint32_t> state = std::vector<std::uint32_t>(MOG_S_REGS + register_count);
    std::vector<std::uint32_t> memory = std::vector<std::uint32_t>(data_words);
};

/// A different value for everything that a line does not set.
std::uint32_t pattern(std::uint32_t pe, std::uint32_t what) { return (pe * 4099u + what) * 0x9e3779b1u; }

void apply(const State &state, Pe &pe) {
    if (state.acc) pe.state[MOG_S_ACC] = *state.acc;
    if (state.fcsr) pe.state[MOG_S_FCSR] = *state.fcsr;
    if (state.d) pe.state[MOG_S_DLO] = static_cast<std::uint32_t>(*state.d);
    if (state.d) pe.state[MOG_S_DHI] = static_cast<std::uint32_t>(*state.d >> 32);
    for (const auto &[number, value] : state.registers) pe.state[MOG_S_REGS + number] = value;
    for (const auto &[address, value] : state.memory) pe.memory[(address - MOG_DATA_BASE) / 4] = value;
}

class Machine {
public:
    Machine(Device &device, std::size_t pes) : device_(device), pes_(static_cast<std::uint32_t>(pes)) {}

    Result<void> load(const Image &image, Doubles doubles, Engine engine, MemoryLayout layout) {
        LoadConfig config;
        config.layout = layout;
        if (layout == MemoryLayout::Sectors && device_.info().id.starts_with("opencl")) config.warp = 32;
        config.engine = engine;
        config.doubles = doubles;
        config.nproc = pes_;
        config.data_words = data_words;
        config.startup.assign(2, 0);
        return device_.load(image, config);
    }

    /// Every state row and every word of DATA of every PE.
    Result<std::vector<Pe>> read() {
        std::vector<std::uint32_t> staging(pes_ * words_per_pe);
        if (auto done = device_.gather(transfers(), bytes(staging)); !done) return done.error();
        std::vector<Pe> pes(pes_);
        const std::uint32_t *next = staging.data();
        for (Pe &pe : pes)
            for (auto *words : {&pe.state, &pe.memory})
                for (std::uint32_t &word : *words) word = *next++;
        return pes;
    }

    Result<void> write(const std::vector<Pe> &pes) {
        std::vector<std::uint32_t> staging;
        for (const Pe &pe : pes) {
            staging.insert(staging.end(), pe.state.begin(), pe.state.end());
            staging.insert(staging.end(), pe.memory.begin(), pe.memory.end());
        }
        return device_.scatter(transfers(), bytes(staging));
    }

    /// Runs until every PE has stopped; the requests by PE.
    Result<std::vector<Request>> run() {
        std::vector<Request> stopped(pes_);
        std::vector<std::uint32_t> active(pes_);
        std::iota(active.begin(), active.end(), 0u);
        for (int launch = 0; !active.empty(); ++launch) {
            if (launch == 100) return Error{fmt::format("PE {} does not stop", active[0]), {}};
            auto requests = device_.run(active, 3);
            if (!requests) return requests.error();
            for (const Request &request : *requests) {
                stopped[request[MOG_Q_PE]] = request;
                std::erase(active, request[MOG_Q_PE]);
            }
        }
        return stopped;
    }

private:
    static constexpr std::uint32_t words_per_pe = MOG_S_REGS + register_count + data_words;

    std::vector<Transfer> transfers() const {
        std::vector<Transfer> list;
        for (std::uint32_t pe = 0; pe < pes_; ++pe) {
            const std::uint32_t start = 4 * pe * words_per_pe;
            for (std::uint32_t row = 0; row < MOG_S_REGS + register_count; ++row) list.push_back({pe, row, 4, start + 4 * row, true});
            list.push_back({pe, MOG_DATA_BASE, 4 * data_words, start + 4 * (MOG_S_REGS + register_count), false});
        }
        return list;
    }
    static std::span<std::uint8_t> bytes(std::vector<std::uint32_t> &words) {
        return {reinterpret_cast<std::uint8_t *>(words.data()), 4 * words.size()};
    }

    Device &device_;
    std::uint32_t pes_;
};

/// The record that a stopped PE must have left, given all of it.
Request expected_request(std::uint32_t pe_number, std::uint32_t stop, std::uint32_t info, const Pe &pe) {
    const std::uint32_t *registers = &pe.state[MOG_S_REGS];
    Request request{};
    request[MOG_Q_PE] = pe_number;
    request[MOG_Q_STOP] = stop;
    request[MOG_Q_PC] = pe.state[MOG_S_PC];
    request[MOG_Q_INFO] = info;
    request[MOG_Q_SP] = registers[0];
    request[MOG_Q_RA] = registers[1];
    request[MOG_Q_NUMBER] = registers[2];
    for (std::uint32_t i = 0; i < 4; ++i) request[MOG_Q_ARG + i] = registers[4 + i];
    const std::uint32_t stack = registers[0] - MOG_DATA_BASE;
    if (stack % 4 == 0 && stack < 4 * data_words && 4 * data_words - stack >= 32)
        for (std::uint32_t i = 4; i < 8; ++i) request[MOG_Q_ARG + i] = pe.memory[stack / 4 + i];
    return request;
}

int fail(const std::string &message) {
    fmt::print(stderr, "{}\n", message);
    return 1;
}

int run(const std::string &path, const std::string &device_name, std::string_view mode) {
    // MOG's own interpreter of all instructions, in place of one that is compiled for the program.
    const bool own = device_name == "own", any = device_name == "any";
    const std::string device_id = own ? "host" : any ? "opencl" : device_name;
    auto rows = read_op_rows(path);
    if (!rows) return fail(rows.error().text());
    if (mode != "fcsr") std::erase_if(*rows, [](const OpRow &row) { return row.needs_fcsr(); });
    const Doubles doubles = mode == "soft" ? Doubles::Soft : mode == "pair" ? Doubles::Pair : Doubles::Auto;
    // On OpenCL devices, floats in software come with it.
    if (mode == "soft") setenv("MOG_TEST_DEVICE_LACKS", "denormals,divide,fp64", 1);
    const auto program = parse(make_program(*rows), "ops.mog");
    if (!program) return fail(program.error().text());
    AssembleOptions options;
    options.order.seconds = 0.01;
    // Code for lanes may be entered at any block, so at any line; for single PEs random_test.cpp and every_instruction.sh have more.
    const bool compiled_lanes = mode == "lanes";  // while it runs
    const std::optional<LaneSet> lanes = compiled_lanes ? LaneSet{Simd::avx512, {}} : lane_set(mode);
    if (lanes && !runs_here(*lanes)) return skipped;
    if (!any) options.blocks.build_seconds = 0;  // which decides what is compiled, once and for all
    if (lanes) options.blocks.lanes = lanes->simd;
    options.blocks.all_in_lanes = lanes.has_value();
    const bool native = mode == "compiled", sectors = mode == "sectors";
    options.blocks.all = lanes || native;
    auto image = assemble(*program, options);
    if (!image) return fail(image.error().text());
    // What is compiled while it runs needs nothing that was compiled before.
    if (device_id == "host" && !own && !native && !compiled_lanes) {
        const std::string_view name = name_of(doubles);
        // Blocks of all lines compile without a warning, which one set of lanes shows for all.
        const HostParts parts = lanes && mode != "portable" ? HostParts::lanes_alone : HostParts::all;
        if (auto compiled = compile_host(*image, name, lanes, parts); !compiled) return fail(compiled.error().text());
        image->products.set_text(ProductKind::doubles, name);
    }
    if (device_id.starts_with("opencl")) {
        bool present = false;
        for (const DeviceInfo &info : list_devices(&*image, nullptr)) present |= info.id.starts_with("opencl");
        if (!present) return fmt::print("skipped: no OpenCL device here\n"), skipped;
    }
    auto device = open_device(device_id, *image);
    if (!device) return fail(device.error().text());

    Machine machine(**device, rows->size());
    if (auto loaded = machine.load(*image, doubles,
                                   lanes    ? Engine::Lanes
                                   : native ? Engine::Native
                                   : own    ? Engine::Switch
                                            : Engine::Auto,
                                   sectors ? MemoryLayout::Sectors : MemoryLayout::Words);
        !loaded) {
        if (native && device_id == "opencl") return fmt::print("skipped: {}\n", loaded.error().text()), skipped;
        return fail(loaded.error().text());
    }
    if (any) {
        const auto stats = (*device)->stats();
        if (!stats || stats->engine.find("of any program") == std::string::npos) return fail("the kernel is not that of any program");
    }
    if (sectors) {
        const auto stats = (*device)->stats();
        if (!stats || stats->engine.find("memory by sectors") == std::string::npos) return fail("memory is not laid by sectors");
    }
    auto pes = machine.read();
    if (!pes) return fail(pes.error().text());
    const std::uint32_t target = *find_label(*image, "target");
    for (std::uint32_t i = 0; i < rows->size(); ++i) {
        Pe &pe = (*pes)[i];
        for (std::uint32_t k = MOG_S_ACC; k < pe.state.size(); ++k)
            if (k != MOG_S_COUNT_LO && k != MOG_S_COUNT_HI && k != MOG_S_FCSR) pe.state[k] = pattern(i, k);
        for (std::uint32_t k = 64; k < data_words; ++k) pe.memory[k] = pattern(i, 1000 + k);
        apply((*rows)[i].before, pe);
        pe.state[MOG_S_PC] = *find_label(*image, fmt::format("row{}", (*rows)[i].line));
    }
    if (auto written = machine.write(*pes); !written) return fail(written.error().text());
    const auto requests = machine.run();
    if (!requests) return fail(requests.error().text());
    const auto results = machine.read();
    if (!results) return fail(results.error().text());

    int wrong = 0;
    for (std::uint32_t i = 0; i < rows->size(); ++i) {
        const OpRow &row = (*rows)[i];
        Pe expected = (*pes)[i];
        const std::uint32_t start = expected.state[MOG_S_PC];
        apply(row.after, expected);
        // Lines that do not ask about the control register may leave anything in it.
        if (!row.needs_fcsr()) expected.state[MOG_S_FCSR] = (*results)[i].state[MOG_S_FCSR];
        std::uint32_t stop = MOG_STOP_BREAK, info = row.after.at_target ? 201 : 200;
        expected.state[MOG_S_PC] = row.after.at_target ? target : start + 1;
        if (row.after.stop) {
            stop = *row.after.stop;
            info = row.after.info.value_or(0);
            expected.state[MOG_S_PC] = stop < MOG_STOP_FIRST_FAULT ? start + 1 : start;
        }
        // With CUDA who lets others run goes on in the launch, to the break behind it, as long as none of them has stopped.
        const bool goes_on = stop == MOG_STOP_YIELD && device_id.starts_with("cuda") && (*requests)[i][MOG_Q_STOP] == MOG_STOP_BREAK;
        if (goes_on) stop = MOG_STOP_BREAK, info = 200;
        const auto complain = [&](const std::string &what, std::uint32_t got, std::uint32_t wanted) {
            ++wrong;
            fmt::print(stderr, "ops.txt:{}: {} on {}: {} is {:#010x}, should be {:#010x}\n", row.line, row.text, device_id, what, got,
                       wanted);
        };
        const Pe &got = (*results)[i];
        // Pairs of floats have some 45 bits of the 53.
        const bool inexact = row.text.starts_with("divd") || row.text.starts_with("sqrtd") || row.text.starts_with("muld");
        if (mode == "pair" && inexact && got.state[MOG_S_DLO] - expected.state[MOG_S_DLO] + 256u < 512u)
            expected.state[MOG_S_DLO] = got.state[MOG_S_DLO];
        for (std::uint32_t k = 0; k < got.state.size(); ++k)
            if (k != MOG_S_COUNT_LO && k != MOG_S_COUNT_HI && got.state[k] != expected.state[k])
                complain(fmt::format("state row {}", k), got.state[k], expected.state[k]);
        for (std::uint32_t k = 0; k < data_words; ++k)
            if (got.memory[k] != expected.memory[k])
                complain(fmt::format("memory word {:#x}", MOG_DATA_BASE + 4 * k), got.memory[k], expected.memory[k]);
        const Request wanted = expected_request(i, stop, info, expected);
        for (std::uint32_t k = 0; k < MOG_Q_ARG + 8; ++k)
            if ((*requests)[i][k] != wanted[k]) complain(fmt::format("word {} of its record", k), (*requests)[i][k], wanted[k]);
    }
    if (native) {
        // What only stops a PE is the interpreter's; all else is compiled, or programs that have it would be slow without a word.
        const auto stats = (*device)->stats();
        if (!stats || !stats->native) return fail("nothing was compiled while it ran");
        for (const std::string &name : stats->native->left) {
            if (const OpInfo *row = find_op(std::string_view(name)); row && always_stops(row->op)) continue;
            ++wrong;
            fmt::print(stderr, "{} is left to the interpreter\n", name);
        }
    }
    fmt::print("{}: {} lines, {} differences\n", device_id, rows->size(), wrong);
    return wrong ? 1 : 0;
}

}  // namespace
}  // namespace mog::test

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4) {
        fmt::print(stderr, "usage: isa_effects ops.txt DEVICE|own|any [native|soft|pair|fcsr|sectors|avx512|avx2|portable|generic]\n");
        return 2;
    }
    return mog::test::run(argv[1], argv[2], argc == 4 ? argv[3] : "native");
}
