// mogptx.cpp: the tool mogptx: PTX text read, checked, shown, and its kernels run with arguments from the command line.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "runtime_host/ptx/engine.hpp"
#include "support/command_line/command_line.hpp"
#include "support/files/files.hpp"
#include "support/say.hpp"
#include "support/sizes.hpp"
#include "translator/ptx/passes.hpp"
#include "translator/ptx/program.hpp"
#include "translator/ptx/registers/give_registers.hpp"

namespace {

struct Options {
    std::string input, kernel, grid = "1", block = "32", meeting = "lowest", engine = "auto", dump_after, registers;
    std::vector<std::string> arguments;
    std::uint32_t shared = 0;
    unsigned threads = 0;
    bool list = false, print = false, check = false, stats = false, is_strict = false, is_cooperative = false;
};

int fail(const mog::Error &error) {
    mog::say("mogptx: {}\n", error.text());
    return 1;
}

/// An argument as it is given: a value, or a buffer of values.
struct Argument {
    mog::ptx::Type type = mog::ptx::Type::none;
    bool is_buffer = false, is_shown = false;
    std::vector<std::uint8_t> bytes;
    std::unique_ptr<std::uint8_t, decltype(&std::free)> buffer{nullptr,
                                                               &std::free};  ///< what the kernel gets, aligned as a card's memory is
};

bool put_value(std::string_view text, mog::ptx::Type type, std::uint8_t *at) {
    const std::size_t bytes = mog::ptx::bits_of(type) / 8;
    double real = 0;
    std::int64_t integer = 0;
    const char *const end = text.data() + text.size();
    if (mog::ptx::is_real(type)) {
        const auto read = std::from_chars(text.data(), end, real);
        if (read.ec != std::errc() || read.ptr != end) return false;
        const auto single = static_cast<float>(real);
        if (type == mog::ptx::Type::f64) std::memcpy(at, &real, bytes);
        if (type == mog::ptx::Type::f32) std::memcpy(at, &single, bytes);
        return type == mog::ptx::Type::f64 || type == mog::ptx::Type::f32;
    }
    const int base = text.starts_with("0x") ? 16 : 10;
    std::uint64_t natural = 0;
    const auto read = text.starts_with('-') ? std::from_chars(text.data(), end, integer)
                                            : std::from_chars(text.data() + (base == 16 ? 2 : 0), end, natural, base);
    if (read.ec != std::errc() || read.ptr != end) return false;
    if (!text.starts_with('-')) integer = static_cast<std::int64_t>(natural);
    std::memcpy(at, &integer, bytes);
    return true;
}

/// "u32=5", "f32[64]=1.5", "u32[8]=1,2,3", "u32[32]=iota"; with ! at the end it is shown afterwards.
std::optional<Argument> read_argument(std::string_view text) {
    Argument result;
    if (text.ends_with('!')) {
        result.is_shown = true;
        text.remove_suffix(1);
    }
    const std::size_t equals = text.find('=');
    std::string_view kind = text.substr(0, equals), values = equals == text.npos ? "0" : text.substr(equals + 1);
    std::uint64_t count = 1;
    if (const std::size_t bracket = kind.find('['); bracket != kind.npos && kind.ends_with(']')) {
        result.is_buffer = true;
        const auto read = std::from_chars(kind.data() + bracket + 1, kind.data() + kind.size() - 1, count);
        constexpr std::uint64_t most = std::uint64_t{1} << 32;
        if (read.ec != std::errc() || read.ptr != kind.data() + kind.size() - 1 || count > most) return std::nullopt;
        kind = kind.substr(0, bracket);
    }
    result.type = mog::ptx::type_named(kind);
    const std::size_t bytes = mog::ptx::bits_of(result.type) / 8;
    if (bytes == 0 || bytes > 8) return std::nullopt;
    result.bytes.resize(count * bytes);
    std::string_view last = "0";
    for (std::uint64_t at = 0; at < count; ++at) {
        std::string number;
        if (values == "iota") {
            number = std::to_string(at);
        } else if (!values.empty()) {
            last = values.substr(0, values.find(','));
            if (values.find(',') != values.npos) values.remove_prefix(last.size() + 1);  // else it is that of all that follow
        }
        if (!put_value(number.empty() ? last : std::string_view(number), result.type, result.bytes.data() + at * bytes))
            return std::nullopt;
    }
    return result;
}

std::optional<mog::ptx::Dim3> read_shape(std::string_view text) {
    mog::ptx::Dim3 shape;
    for (std::uint32_t *const size : {&shape.x, &shape.y, &shape.z}) {
        const std::string_view part = text.substr(0, text.find_first_of("x,"));
        const auto read = std::from_chars(part.data(), part.data() + part.size(), *size);
        if (read.ec != std::errc() || read.ptr != part.data() + part.size()) return std::nullopt;
        if (part.size() == text.size()) return shape;
        text.remove_prefix(part.size() + 1);
    }
    return std::nullopt;
}

void show(const Argument &argument) {
    const std::size_t bytes = mog::ptx::bits_of(argument.type) / 8;
    std::string text;
    for (std::size_t at = 0; at < argument.bytes.size(); at += bytes) {
        const auto as = [&]<typename T>(T value) {
            std::memcpy(&value, argument.bytes.data() + at, bytes);
            text += fmt::format("{}{}", at == 0 ? "" : " ", value);
        };
        if (argument.type == mog::ptx::Type::f32) {
            as(float{});
        } else if (argument.type == mog::ptx::Type::f64) {
            as(double{});
        } else if (!mog::ptx::has_sign(argument.type)) {
            as(std::uint64_t{});
        } else if (bytes == 1) {
            as(std::int8_t{});
        } else if (bytes == 2) {
            as(std::int16_t{});
        } else if (bytes == 4) {
            as(std::int32_t{});
        } else {
            as(std::int64_t{});
        }
    }
    fmt::print("{}\n", text);
}

void show(const mog::ptx::LaunchCounts &counts) {
    const auto per = [](std::uint64_t a, std::uint64_t b) { return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b); };
    mog::say("{} blocks, {} threads\n", counts.blocks, counts.threads);
    mog::say("{} warp instructions, {:.2f} lanes active in each\n", counts.warp_instructions,
             per(counts.thread_instructions, counts.warp_instructions));
    mog::say("{} branches, {} part lanes; {} barriers\n", counts.branches, counts.parting_branches, counts.barriers);
    mog::say("{} accesses of global memory, {:.2f} sectors of 32 bytes in each\n", counts.global_accesses,
             per(counts.global_sectors, counts.global_accesses));
    mog::say("{} accesses of shared memory, {} conflicts of banks; {} of local memory\n", counts.shared_accesses, counts.bank_conflicts,
             counts.local_accesses);
    std::vector<std::pair<std::uint64_t, std::string>> kinds;
    for (const auto &[kind, count] : counts.by_kind) kinds.emplace_back(count, kind);
    std::ranges::sort(kinds, [](const auto &a, const auto &b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
    for (const auto &[count, kind] : kinds) mog::say("{:>12}  {}\n", count, kind);
}

int run(const Options &options) {
    const auto text = mog::read_text_file(options.input);
    if (!text) return fail(text.error());
    const std::string name = options.input == "-" ? "<stdin>" : options.input;
    if (options.print || !options.dump_after.empty()) {
        auto program = mog::ptx::parse(*text, name);
        if (!program) return fail(program.error());
        const auto shown = mog::ptx::dump_after(*program, options.print ? "parse" : options.dump_after);
        if (!shown) return fail(shown.error());
        fmt::print("{}", *shown);
        return 0;
    }
    mog::ptx::LoadOptions load;
    load.late_errors = !options.is_strict;
    load.registers = options.registers;
    auto module = mog::ptx::Module::load(*text, name, load);
    if (!module) return fail(module.error());
    const std::vector<std::string> kernels = (*module)->kernel_names();
    if (options.list) {
        for (const std::string &kernel : kernels) {
            const mog::ptx::KernelInfo &info = *(*module)->kernel(kernel);
            fmt::print("{}: {} parameters in {} bytes, {} bytes of shared memory, {} of local, {} registers\n", kernel,
                       info.parameters.size(), info.parameter_bytes, info.static_shared_bytes, info.local_bytes, info.registers);
        }
        return 0;
    }
    if (options.kernel.empty() && kernels.size() != 1)
        return fail(mog::Error{fmt::format("there are {} kernels: --kernel says which", kernels.size()), name});
    const std::string kernel = options.kernel.empty() ? kernels.front() : options.kernel;
    const mog::ptx::KernelInfo *const info = (*module)->kernel(kernel);
    if (info == nullptr) return fail(mog::Error{fmt::format("no kernel is called {}", kernel), name});
    std::vector<Argument> arguments;
    for (const std::string &one : options.arguments) {
        auto argument = read_argument(one);
        if (!argument)
            return fail(
                mog::Error{fmt::format("--arg={}: TYPE=VALUE or TYPE[COUNT]=VALUES is expected, such as u32=5 or f32[64]=iota", one)});
        arguments.push_back(std::move(*argument));
    }
    if (arguments.size() != info->parameters.size())
        return fail(
            mog::Error{fmt::format("{} has {} parameters, and there are {} arguments", kernel, info->parameters.size(), arguments.size())});
    std::vector<std::uint8_t> block(info->parameter_bytes + 16);
    mog::ptx::Allocations allocations;
    for (std::size_t at = 0; at < arguments.size(); ++at) {
        Argument &argument = arguments[at];
        const auto &parameter = info->parameters[at];
        const std::uint8_t *pointer = nullptr;
        if (argument.is_buffer) {
            constexpr std::size_t alignment = 256;
            argument.buffer.reset(
                static_cast<std::uint8_t *>(std::aligned_alloc(alignment, mog::round_up(argument.bytes.size(), alignment))));
            pointer = argument.buffer.get();
            if (pointer == nullptr) return fail(mog::Error{fmt::format("there is no room for argument {}", at + 1)});
            std::memcpy(argument.buffer.get(), argument.bytes.data(), argument.bytes.size());
            allocations.add(pointer, argument.bytes.size());
        }
        const std::size_t bytes = argument.is_buffer ? sizeof pointer : argument.bytes.size();
        if (bytes > parameter.size)
            return fail(mog::Error{fmt::format("argument {} has {} bytes, and the parameter {}", at + 1, bytes, parameter.size)});
        std::memcpy(block.data() + parameter.offset, argument.is_buffer ? static_cast<const void *>(&pointer) : argument.bytes.data(),
                    bytes);
    }
    const auto grid = read_shape(options.grid), threads = read_shape(options.block);
    if (!grid || !threads) return fail(mog::Error{"a shape is 1 to 3 numbers, such as 32x8"});
    mog::ptx::LaunchOptions how;
    how.threads = options.threads;
    how.count = options.stats;
    how.check = options.check;
    how.cooperative = options.is_cooperative;
    how.allocations = &allocations;
    how.found = [](const mog::ptx::Finding &finding) { mog::say("mogptx: {}: {}\n", finding.kind, finding.text); };
    how.engine = options.engine == "compiled"      ? mog::ptx::Engine::compiled
                 : options.engine == "interpreter" ? mog::ptx::Engine::interpreter
                                                   : mog::ptx::Engine::automatic;
    how.meeting = options.meeting == "never"            ? mog::ptx::Meeting::never
                  : options.meeting == "barriers"       ? mog::ptx::Meeting::barriers
                  : options.meeting == "postdominators" ? mog::ptx::Meeting::postdominators
                                                        : mog::ptx::Meeting::lowest;
    const auto counts = mog::ptx::launch(**module, kernel, {*grid, *threads, options.shared}, block.data(), how);
    std::fflush(stdout);
    if (!counts) return fail(counts.error());
    if (!counts->why_interpreted.empty()) mog::say("mogptx: {} is interpreted: {}\n", kernel, counts->why_interpreted);
    for (Argument &argument : arguments) {
        if (argument.is_buffer) std::memcpy(argument.bytes.data(), argument.buffer.get(), argument.bytes.size());
        if (argument.is_shown) show(argument);
    }
    if (options.stats) show(*counts);
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    Options options;
    mog::CommandLine line("Run kernels of PTX text on this machine's processor", "mogptx");
    line.option("input", options.input, "PTX text; - is standard input").required();
    line.version("mogptx " MOG_VERSION);
    line.option("--kernel", options.kernel, "The kernel to run (default: the only one)");
    line.option("--grid", options.grid, "Blocks, as 16 or 16x4 (default: 1)");
    line.option("--block", options.block, "Threads of a block (default: 32)");
    line.option("--shared", options.shared, "Bytes of shared memory beside what the kernel declares");
    line.option("--arg", options.arguments,
                "An argument, once for each parameter: u32=5, f32[64]=1.5, u32[8]=1,2,3, s32[32]=iota; ! behind it: show it afterwards")
        .one_value_each();
    line.option("--threads", options.threads, "Threads of this process (default: one for each core)");
    line.option("--meeting", options.meeting, "Where lanes that part meet again (default: lowest)")
        .one_of(std::vector<std::string>{"never", "barriers", "postdominators", "lowest"});
    line.option("--engine", options.engine, "How kernels run: compiled, interpreter, auto: compiled once that pays (default)")
        .one_of(std::vector<std::string>{"auto", "interpreter", "compiled"});
    line.flag("--cooperative", options.is_cooperative, "Blocks wait for each other");
    line.flag("--check", options.check, "Look at each access: bounds, alignment, what is read before it is written, races, barriers");
    line.flag("--stats", options.stats, "Count what warps do");
    line.option("--registers", options.registers,
                "Give threads so many registers, as affine,8: " + std::string(mog::ptx::registers_help()));
    line.flag("--strict", options.is_strict, "What cannot be executed is an error though no thread may come to it");
    line.flag("--list", options.list, "Show the kernels");
    line.flag("--print", options.print, "Write the text anew");
    line.option("--dump-after", options.dump_after, "Write what is there after a pass: parse, blocks, dead; ssa: as analyses see it")
        .one_of(mog::ptx::dump_names());
    if (const auto parsed = line.parse(argc, argv); parsed.is == mog::CommandLine::Parsed::Is::Shown) {
        fmt::print("{}", parsed.text);
        return 0;
    } else if (parsed.is != mog::CommandLine::Parsed::Is::Read) {
        mog::say("mogptx: {}\nTry mogptx --help.\n", parsed.text);
        return 2;
    }
    return run(options);
}
