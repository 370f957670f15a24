// main.cpp: mogas, the MOG assembler. Options, read, assemble, write; nothing else.
#include <fmt/format.h>

#include "assembler/analyze.hpp"
#include "assembler/assemble.hpp"
#include "assembler/emit/drop_in.hpp"
#include "assembler/image/encode.hpp"
#include "assembler/order_options.hpp"
#include "assembler/text/manual.hpp"
#include "assembler/text/parse.hpp"
#include "assembler/text/print.hpp"
#include "support/command_line/command_line.hpp"
#include "support/files/files.hpp"
#include "support/progress.hpp"
#include "support/say.hpp"
#include "support/text.hpp"
#include "translator/ptx/kernels.hpp"
#include "translator/ptx/passes.hpp"
#include "translator/ptx/registers/give_registers.hpp"

namespace {

constexpr int exit_input = 1;
constexpr int exit_usage = 2;

struct Options {
    std::string input, output, emit, simulate, allocate;
    unsigned registers = 8, register_bits = 64;  // --allocate
    std::vector<std::string> kernels;
    bool is_exact = false;
    std::optional<mog::AnalyzeOptions> analyze;
    mog::SimulateOptions machine;
    bool disassemble = false, list_ops = false, manual = false, print_order = false;
    mog::AssembleOptions assemble;
};

int fail(const mog::Error &error) {
    // Mistakes in a text come with their places and say "error" themselves.
    const bool has_place = !error.where.empty() && error.message.starts_with("error:");
    mog::say("{}{}\n", has_place ? "" : "mogas: error: ", error.text());
    return exit_input;
}

bool is_image_file(std::string_view content) { return content.starts_with("MOGIMAGE") || content.starts_with("\177ELF"); }

/// The program in a file, which may be assembly text, an image or an executable.
mog::Result<mog::MogProgram> read_program(const std::string &path) {
    auto content = mog::read_text_file(path);
    if (!content) return content.error();
    if (!is_image_file(*content)) return mog::parse(*content, path == "-" ? "<stdin>" : path);
    auto image = path == "-" ? mog::read_image(mog::as_byte_span(*content)) : mog::load_image(path);
    if (!image) return image.error();
    return mog::disassemble(*image);
}

void tell(const std::vector<std::string> &notes) {
    for (const std::string &note : notes) mog::say("mogas: warning: {}\n", note);
}

mog::Result<mog::Image> assemble(const Options &options, const mog::MogProgram &program) {
    std::vector<std::string> notes;
    mog::AssembleOptions how = options.assemble;
    if (const auto kinds = mog::read_source_kinds(options.emit); !kinds.empty()) how.blocks.only = mog::purpose_of(kinds);
    auto image = mog::assemble(program, how, &notes);
    if (!image) return image.error().where.empty() ? mog::Error{image.error().message, options.input} : image.error();
    tell(notes);
    return image;
}

mog::Result<void> emit(const Options &options, const mog::MogProgram &program) {
    if (options.emit == "mog") return mog::write_text_file(options.output, mog::print(program));
    if (options.print_order) {
        auto image = mog::encode(program);
        if (!image) return mog::Error{image.error().message, options.input};
        std::vector<std::string> notes;
        const auto fitted = mog::fit(*image, options.assemble, &notes);
        if (!fitted) return fitted.error();
        tell(notes);
        return mog::write_text_file(options.output, mog::describe(fitted->order, *image));
    }
    const auto image = assemble(options, program);
    if (!image) return image.error();
    if (options.emit == "image") return mog::write_file(options.output, mog::write_image(*image));
    return mog::write_sources(*image, mog::read_source_kinds(options.emit), options.output, options.assemble.generate.program_name);
}

/// --analyze, --simulate and --allocate: a report instead of an image.
mog::Result<void> report(const Options &options) {
    const std::string name = options.input == "-" ? "<stdin>" : options.input;
    const bool is_ptx = options.input.ends_with(".ptx") && options.simulate.empty();
    const bool is_usimd = !is_ptx && (!options.simulate.empty() || !options.allocate.empty() || mog::is_usimd_name(options.input));
    mog::Result<std::string> text = std::string();
    if (is_usimd) {
        const auto source = mog::read_text_file(options.input);
        if (!source) return source.error();
        text = !options.allocate.empty()   ? mog::allocate_usimd(*source, name, options.allocate, options.registers, options.machine)
               : !options.simulate.empty() ? mog::simulate_usimd(*source, name, options.machine)
                                           : mog::analyze_usimd(*source, name, *options.analyze);
    } else if (is_ptx) {
        const auto source = mog::read_text_file(options.input);
        if (!source) return source.error();
        auto program = mog::ptx::parse(*source, name);
        if (!program) return program.error();
        MOG_TRY(mog::ptx::verify(*program));
        if (!options.allocate.empty()) {
            MOG_TRY(mog::ptx::run_passes(*program));
            auto how = mog::ptx::read_registers_options(options.allocate);
            if (!how) return how.error();
            how->registers = options.registers;
            how->bits = options.register_bits;
            how->arithmetic_is_exact = options.is_exact;
            const auto given = mog::ptx::give_registers(*program, *how, options.kernels);
            if (!given) return given.error();
            return mog::write_text_file(options.output.empty() ? "-" : options.output,
                                        mog::ptx::print(*program) + mog::ptx::describe(*given, *how));
        }
        std::vector<mog::AnalyzedKernel> kernels;
        for (auto &one : mog::ptx::divergence_kernels(*program, options.analyze->functions, {options.analyze->is_exact}))
            kernels.push_back({std::move(one.kernel), std::move(one.hypotheses)});
        text = mog::analyze_kernels(kernels, *source, name, *options.analyze);
    } else {
        const auto program = read_program(options.input);
        if (!program) return program.error();
        text = mog::analyze(*program, options.input, *options.analyze);
    }
    if (!text) return text.error();
    return mog::write_text_file(options.output.empty() ? "-" : options.output, *text);
}

/// Help as mogas writes it: a capital first, no lines of its own.
std::string sentence(std::string_view help) {
    std::string text(help);
    text[0] = static_cast<char>(std::toupper(text[0]));
    for (char &c : text)
        if (c == '\n') c = ' ';
    return text;
}

/// "; did you mean --seed?" for an option that does not exist.
std::string suggestion(const mog::CommandLine &line) {
    const std::vector<std::string> names = line.long_names();
    for (const std::string &word : line.left_over()) {
        const std::string name = word.substr(0, word.find('='));
        const std::string_view nearest = mog::nearest_word(name, {names.begin(), names.end()});
        if (name.starts_with("-") && !nearest.empty()) return fmt::format("; did you mean {}?", nearest);
    }
    return {};
}

}  // namespace

int main(int argc, char **argv) {
    Options options;
    mog::CommandLine line{"mogas, the MOG assembler: MOG assembly to an image with its own interpreter, and back", "mogas"};
    line.help_column(30);
    line.version("mogas " MOG_VERSION);
    line.option("INPUT", options.input,
                "MOG assembly, an image, or an executable of mogcc; a .usimd text to analyze, simulate or allocate, a .ptx text to analyze "
                "or allocate; - is standard input");
    line.option("-o,--output", options.output, "Where to write; - is standard output (default: INPUT with .mogi for an image, else -)");
    line.option("--emit", options.emit,
                "What to write: image (default); mog; or a list of opencl, cuda, cpp: sources for other builds, OUTPUT.h, "
                "OUTPUT_image.c and the interpreters OUTPUT.cl, .cu, .cpp; or one interpreter alone, if OUTPUT is - or has its suffix")
        .check([](const std::string &kind) {
            if (kind == "image" || kind == "mog" || !mog::read_source_kinds(kind).empty()) return std::string();
            return fmt::format("there are image, mog, and opencl, cuda and cpp, which can be a list, but no {}", kind);
        })
        .value_only("KIND");
    line.flag("--disassemble", options.disassemble, "The same as --emit=mog");
    line.flag("--unchecked", options.assemble.generate.unchecked,
              "Dangerous: interpreters whose loads and stores do not check their addresses");
    for (const mog::OrderSetting &setting : mog::order_settings())
        line.option(
                setting.name, [&](const std::string &value) { return setting.read(options.assemble, value); }, sentence(setting.help))
            .value_only(setting.argument);
    line.flag("--print-order", options.print_order, "Print the order found, and what it costs");
    line.option(
            "--analyze",
            [&](const std::string &words) -> mog::Result<void> {
                auto read = mog::read_analyze_options(words);
                if (!read) return read.error();
                options.analyze = std::move(*read);
                return {};
            },
            mog::analyze_help())
        .value_only("WORDS");
    line.option("--simulate", options.simulate, "Run INPUT, a text of the u-SIMD machine: usimd. Prints the cells that it leaves")
        .one_of(std::vector<std::string>{"usimd"})
        .value_only("MACHINE");
    line.option("--allocate", options.allocate,
                "Give INPUT, a text of the u-SIMD machine or PTX, registers. Prints it with spill code, and how many loads and stores "
                "there are, of "
                "the u-SIMD machine also what a run executes: linear, divergent, rematerialising or affine")
        .one_of(mog::allocator_names())
        .value_only("ALLOCATOR");
    line.option("--registers", options.registers, "Of --allocate: registers of each lane, of 64 bits (default: 8)")
        .between(1u, 1024u)
        .value_only("K");
    line.option("--register-bits", options.register_bits, "Of --allocate for PTX: 32 (what is wider takes two) or 64 (default: 64)")
        .one_of(std::vector<unsigned>{32, 64})
        .value_only("N");
    line.option("--kernel", options.kernels, "Of --allocate for PTX: only this function; may be repeated")
        .value_only("NAME")
        .one_value_each();
    line.flag("--exact", options.is_exact, "Of --allocate for PTX: sums and products of 32 bits do not wrap");
    line.option("--threads", options.machine.threads, "Of --simulate and --allocate: threads, if the text has no .block (default: 4)")
        .between(1u, 1u << 20)
        .value_only("N");
    line.option("--warp", options.machine.warp, "Of --simulate and --allocate: lanes in a warp (default: 32)")
        .between(1u, 1024u)
        .value_only("N");
    line.flag("--trace", options.machine.trace, "Of --simulate: print each step, with the lanes that are active and what they hold");
    line.flag("--list-ops", options.list_ops, "Print the instructions");
    line.flag("--manual", options.manual, "Print the manual of the instructions, in Markdown");
    line.footer(
        "Examples:\n"
        "  mogas program.mog -o program.mogi\n"
        "  mogas --disassemble ./program | less\n"
        "  mogas --analyze=divergence,html,function=main ./program -o main.html\n"
        "  mogas --simulate=usimd --threads=8 --trace kernel.usimd\n"
        "  mogas --allocate=affine --registers=4 kernel.usimd\n"
        "  mogas --allocate=affine --registers=8 --kernel=sums kernels.ptx -o with_registers.ptx");
    if (const auto parsed = line.parse(argc, argv); parsed.is == mog::CommandLine::Parsed::Is::Shown) {
        fmt::print("{}", parsed.text);
        return 0;
    } else if (parsed.is != mog::CommandLine::Parsed::Is::Read) {
        mog::say("mogas: {}{}\nTry mogas --help.\n", parsed.text, suggestion(line));
        return exit_usage;
    }
    if (options.list_ops || options.manual) {
        const auto written =
            mog::write_text_file(options.output.empty() ? "-" : options.output, options.manual ? mog::isa_manual() : mog::op_list());
        return written ? 0 : fail(written.error());
    }
    if (options.input.empty()) {
        mog::say("mogas: no input; try mogas --help\n");
        return exit_usage;
    }
    if (options.analyze || !options.simulate.empty() || !options.allocate.empty()) {
        const auto reported = report(options);
        return reported ? 0 : fail(reported.error());
    }
    if (options.disassemble) options.emit = "mog";
    if (options.emit.empty()) options.emit = options.print_order ? "order" : "image";
    const std::filesystem::path input = options.input == "-" ? "program" : options.input;
    if (options.output.empty())
        options.output = options.emit == "image" && options.input != "-" ? input.filename().replace_extension(".mogi").string() : "-";
    options.assemble.generate.program_name = input.stem().string();

    const auto program = read_program(options.input);
    if (!program) return fail(program.error());
    mog::Progress progress("searching an order of subinterpreters");
    if (options.assemble.order.seconds >= mog::long_search) options.assemble.order.watch = [&](double part) { progress.show(part); };
    const auto written = emit(options, *program);
    progress.clear();
    return written ? 0 : fail(written.error());
}
