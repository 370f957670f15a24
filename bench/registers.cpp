// registers.cpp: what the four allocators spill, and what that moves when the u-SIMD machine runs it. bench/divergence calls it.
//
//     registers_bench KERNEL.usimd... KERNELS.ptx... PROGRAM.mog...
//
// Each kernel of the u-SIMD machine is run without and with registers, and has to leave the same. Beside them stand random programs; and of
// PTX, whose programs bench/divergence runs, what is in the text. Of MOG programs, as lanes of the CPU run them, the functions whose source
// is the program's own: what is in the text, and with stand-ins (stand_ins.hpp) they have to leave the same.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "assembler/divergence_report/mog_kernels.hpp"
#include "assembler/text/parse.hpp"
#include "assembler/usimd/allocated_program.hpp"
#include "bench/stand_ins.hpp"
#include "support/files/files.hpp"
#include "support/say.hpp"
#include "tests/divergence/random_programs.hpp"
#include "translator/ptx/passes.hpp"
#include "translator/ptx/registers/give_registers.hpp"

namespace {

using namespace mog;
using namespace mog::registers;

constexpr unsigned counts_of_registers[] = {4, 6, 8, 10, 12, 16};
constexpr std::uint32_t threads = 64;
constexpr std::uint64_t most_steps = 1'000'000;

struct Sum {
    std::size_t kernels = 0;
    std::uint64_t instructions = 0;  ///< executed
    SpillCounts in_text, executed;
    std::array<std::uint64_t, homes> bytes{};
};

void add(std::array<std::uint64_t, homes> &sum, const std::array<std::uint64_t, homes> &counts) {
    for (std::size_t home = 0; home < homes; ++home) sum[home] += counts[home];
}

void add(Sum &sum, const Sum &one) {
    sum.kernels += one.kernels;
    sum.instructions += one.instructions;
    add(sum.in_text.loads, one.in_text.loads);
    add(sum.in_text.stores, one.in_text.stores);
    add(sum.executed.loads, one.executed.loads);
    add(sum.executed.stores, one.executed.stores);
    add(sum.bytes, one.bytes);
}

nlohmann::ordered_json by_home(const std::array<std::uint64_t, homes> &counts) {
    nlohmann::ordered_json json;
    for (std::size_t home = 0; home < homes; ++home) json[name_of(static_cast<Home>(home))] = counts[home];
    return json;
}

nlohmann::ordered_json json_of(const Sum &sum) {
    return {{"kernels", sum.kernels},
            {"instructions", sum.instructions},
            {"operations", sum.in_text.operations()},
            {"replaced", sum.in_text.replaced()},
            {"loads", by_home(sum.in_text.loads)},
            {"stores", by_home(sum.in_text.stores)},
            {"executed_loads", by_home(sum.executed.loads)},
            {"executed_stores", by_home(sum.executed.stores)},
            {"bytes", by_home(sum.bytes)}};
}

/// What a program leaves; nullopt: it does not end.
std::optional<std::vector<std::int64_t>> cells_of(const usimd::Program &program, const usimd::MachineOptions &options,
                                                  const usimd::Machine::Watcher &watcher) {
    auto machine = usimd::Machine::make(program, options);
    if (!machine || !machine->run(watcher)) return std::nullopt;
    return machine->cells();
}

/// What a program with registers does. An Error says that it is something else than without.
Result<Sum> measure(const usimd::Program &program, const usimd::MachineOptions &machine, const AllocateOptions &options,
                    const std::vector<std::int64_t> &wanted) {
    const auto allocated = usimd::allocate(program, options);
    if (!allocated) return allocated.error();
    usimd::ExecutedSpills executed;
    const auto cells = cells_of(allocated->program, machine,
                                [&](const usimd::Machine &, const usimd::Step &step) { executed.watch(allocated->allocated, step); });
    if (cells != wanted)
        return Error{
            fmt::format("with {} registers by the allocator {} it leaves something else", options.registers, name_of(options.allocator))};
    return Sum{1, executed.instructions, allocated->allocated.counts, executed.operations, executed.bytes};
}

struct Input {
    std::string name;
    usimd::Program program;
    usimd::MachineOptions machine;
};

Result<nlohmann::ordered_json> table(const std::vector<Input> &inputs, bool each) {
    nlohmann::ordered_json json;
    std::vector<std::vector<std::int64_t>> wanted;
    for (const Input &input : inputs) {
        auto cells = cells_of(input.program, input.machine, {});
        if (!cells) return Error{"it does not run", input.name};
        wanted.push_back(std::move(*cells));
    }
    for (const unsigned registers : counts_of_registers)
        for (const Allocator allocator : allocators) {
            Sum sum;
            AllocateOptions options;
            options.allocator = allocator;
            options.registers = registers;
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                options.shape.warp = inputs[i].machine.warp;
                const auto one = measure(inputs[i].program, inputs[i].machine, options, wanted[i]);
                if (!one) return Error{one.error().message, inputs[i].name};
                if (each) json["each"][inputs[i].name][std::to_string(registers)][name_of(allocator)] = json_of(*one);
                add(sum, *one);
            }
            json["all"][std::to_string(registers)][name_of(allocator)] = json_of(sum);
        }
    return json;
}

std::vector<Input> random_inputs() {
    constexpr std::size_t wanted = 300;
    std::vector<Input> inputs;
    for (std::uint64_t seed = 1; inputs.size() < wanted; ++seed) {
        Random random(seed);
        const bool is_structured = seed % 2 == 0, is_calm = seed % 4 < 2;
        Input input{
            fmt::format("random {}", seed),
            test::random_program(random, {is_structured ? test::Style::structured : test::Style::unstructured, false, true, true, is_calm}),
            {8, 8, 400}};
        if (!cells_of(input.program, input.machine, {})) continue;
        input.machine.most_steps = most_steps;
        inputs.push_back(std::move(input));
    }
    return inputs;
}

struct PtxText {
    std::string path, text;
};

/// What is in the texts with registers of so many bits.
Result<nlohmann::ordered_json> ptx_table(const std::vector<PtxText> &texts, unsigned bits) {
    nlohmann::ordered_json json;
    for (const unsigned registers : counts_of_registers)
        for (const Allocator allocator : allocators) {
            std::uint64_t operations = 0, replaced = 0, functions = 0;
            std::array<double, homes> bytes{};
            for (const PtxText &one : texts) {
                ptx::RegistersOptions how;
                how.allocator = allocator;
                how.registers = registers;
                how.bits = bits;
                auto program = ptx::parse(one.text, one.path);
                if (!program) return program.error();
                if (const auto passed = ptx::run_passes(*program); !passed) return passed.error();
                for (const ptx::Function &function : std::vector(program->functions)) {
                    if (!function.has_body) continue;
                    const auto given = ptx::give_registers(*program, how, {function.name});
                    if (!given) continue;  // one of its instructions wants more
                    ++functions;
                    operations += given->front().counts.operations();
                    replaced += given->front().counts.replaced();
                    for (std::size_t home = 0; home < homes; ++home) bytes[home] += given->front().bytes[home];
                }
            }
            nlohmann::ordered_json &cell = json[std::to_string(registers)][name_of(allocator)];
            cell = {{"functions", functions}, {"operations", operations}, {"replaced", replaced}};
            for (std::size_t home = 0; home < homes; ++home) cell["bytes"][name_of(static_cast<Home>(home))] = bytes[home];
        }
    return json;
}

/// Vectors of 16 lanes are two registers of AVX2, of which there are 16, and one of AVX-512, of which there are 32.
constexpr unsigned lanes = 16, counts_of_vectors[] = {8, 16, 32};

/// Whether a function's instructions are of the program's own source.
bool is_own(const divergence::Kernel &kernel) {
    for (const divergence::Block &block : kernel.blocks)
        for (const divergence::Instruction &instruction : block.code)
            if (instruction.place.line != 0)
                return kernel.files[instruction.place.file].find("/bench/programs/") != std::string::npos &&
                       !kernel.files[instruction.place.file].ends_with("mog.h");
    return false;
}

/// Functions of MOG programs with so many vectors, in registers of 32 bits for each lane. An Error says which of them comes to something
/// else.
Result<nlohmann::ordered_json> mog_table(const std::vector<MogProgram> &programs) {
    std::vector<usimd::Program> functions;
    for (const MogProgram &program : programs)
        for (const MogKernel &function : mog_kernels(program, [](std::string_view) { return true; }))
            if (is_own(function.kernel)) functions.push_back(bench::with_stand_ins(function, lanes));
    usimd::MachineOptions machine{lanes, lanes, 20'000};
    machine.has_stand_ins = true;
    nlohmann::ordered_json json;
    std::vector<std::optional<std::vector<std::int64_t>>> wanted;
    for (const usimd::Program &function : functions) wanted.push_back(cells_of(function, machine, {}));
    machine.most_steps *= 10;  // of spill code there is more than of code
    for (const unsigned vectors : counts_of_vectors)
        for (const Allocator allocator : allocators) {
            std::uint64_t compared = 0;
            SpillCounts counts;
            std::array<double, homes> bytes{};
            AllocateOptions options;
            options.allocator = allocator;
            options.registers = vectors;
            options.bits = 32;
            options.shape.warp = lanes;
            for (std::size_t i = 0; i < functions.size(); ++i) {
                const auto given = usimd::allocate(functions[i], options);
                if (!given) return Error{given.error().message, functions[i].kernel.name};
                add(counts.loads, given->allocated.counts.loads);
                add(counts.stores, given->allocated.counts.stores);
                for (std::size_t home = 0; home < homes; ++home) bytes[home] += given->allocated.bytes[home];
                if (!wanted[i]) continue;
                ++compared;
                if (cells_of(given->program, machine, {}) != *wanted[i])
                    return Error{fmt::format("with {} vectors by the allocator {} it leaves something else", vectors, name_of(allocator)),
                                 functions[i].kernel.name};
            }
            nlohmann::ordered_json &cell = json[std::to_string(vectors)][name_of(allocator)];
            cell = {{"functions", functions.size()}, {"compared", compared},           {"operations", counts.operations()},
                    {"replaced", counts.replaced()}, {"loads", by_home(counts.loads)}, {"stores", by_home(counts.stores)}};
            for (std::size_t home = 0; home < homes; ++home) cell["bytes"][name_of(static_cast<Home>(home))] = bytes[home];
        }
    return json;
}

int fail(const Error &error) {
    say("registers_bench: {}\n", error.text());
    return 1;
}

}  // namespace

int main(int argc, char **argv) {
    std::vector<Input> inputs;
    std::vector<PtxText> texts;
    std::vector<MogProgram> programs;
    for (int i = 1; i < argc; ++i) {
        const auto text = read_text_file(argv[i]);
        if (!text) return fail(text.error());
        if (std::string_view(argv[i]).ends_with(".ptx")) {
            texts.push_back({argv[i], *text});
            continue;
        }
        if (std::string_view(argv[i]).ends_with(".mog")) {
            auto program = parse(*text, argv[i]);
            if (!program) return fail(program.error());
            programs.push_back(std::move(*program));
            continue;
        }
        auto program = usimd::parse(*text, argv[i]);
        if (!program) return fail(program.error());
        std::string name(argv[i]);
        name = name.substr(name.rfind('/') + 1);
        inputs.push_back({name.substr(0, name.find('.')), std::move(*program), {threads, 32, most_steps}});
    }
    const auto kernels = table(inputs, true), random = table(random_inputs(), false);
    if (!kernels) return fail(kernels.error());
    if (!random) return fail(random.error());
    const auto ptx = ptx_table(texts, 64), narrow = ptx_table(texts, 32);
    if (!ptx) return fail(ptx.error());
    if (!narrow) return fail(narrow.error());
    const auto functions = mog_table(programs);
    if (!functions) return fail(functions.error());
    const nlohmann::ordered_json all{
        {"kernels", *kernels}, {"random", *random}, {"ptx", *ptx}, {"ptx_of_32_bits", *narrow}, {"mog", *functions}};
    fmt::print("{}\n", all.dump(2));
    return 0;
}
