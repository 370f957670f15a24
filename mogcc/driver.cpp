// driver.cpp: compile and link with gcc, translate, assemble, compile the interpreter for this machine, put it all in one file.
#include "mogcc/driver.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "assembler/assemble.hpp"
#include "assembler/emit/host_code.hpp"
#include "assembler/text/print.hpp"
#include "mogcc/gcc.hpp"
#include "mogcc/linker.hpp"
#include "mogcc/other_machines.hpp"
#include "runtime_host/devices/cuda/cuda_embedded.hpp"
#include "support/compilers/compiler_speed.hpp"
#include "support/compilers/cuda_compiler.hpp"
#include "support/files/files.hpp"
#include "support/files/staged_file.hpp"
#include "support/files/temporary.hpp"
#include "support/progress.hpp"
#include "support/say.hpp"
#include "support/text.hpp"
#include "translator/translate.hpp"

namespace mog {

namespace fs = std::filesystem;

namespace {

// What is kept by -save-temps and written by --emit, with the suffix of its file.
const char *suffix_of(Emit emit) {
    switch (emit) {
        case Emit::executable: return ".out";
        case Emit::elf: return ".elf";
        case Emit::mog: return ".mog";
        case Emit::image: return ".image";
        case Emit::sources: return "";
    }
    return "";
}

// Options by which gcc writes more files, whose names come from that of the output or the inputs, or does so by rules that are not ours.
bool names_files(std::string_view word) {
    return std::ranges::any_of(std::initializer_list<std::string_view>{"-save-temps", "--save-temps", "-gsplit-dwarf", "-fstack-usage",
                                                                       "-fcallgraph-info", "-fdump", "-d", "-ftest-coverage", "-fprofile",
                                                                       "-fauto-profile", "-fverbose-asm", "-fsyntax-only", "-specs"},
                               [&](std::string_view option) { return word.starts_with(option); });
}

// -s: the linker keeps what the translator needs, and after that nothing is called by its name any more, but what the assembler goes by:
// main, and the linker script's marks.
void forget_names(MogProgram &program) {
    program.files.clear();
    program.lines.clear();
    for (std::size_t i = 0; i < program.blocks.size(); ++i) program.blocks[i].label = fmt::format("L{}", i);
    for (Symbol &symbol : program.symbols)
        if (symbol.name != "main" && !symbol.name.starts_with("_mog_")) symbol.name = fmt::format("at_{:x}", symbol.address);
}

// Throws away nothing on its own: an Error goes up to drive(), which prints it.
class Driver {
public:
    Driver(const CommandLine &line, const Toolchain &tools)
        : line_(line), tools_(tools), output_(line.output.empty() ? std::string("a") + suffix_of(line.emit) : line.output) {}

    Result<int> run() {
        if (!line_.left_out.empty() && !line_.asks)
            say("mogcc: warning: options for other processors are not supported for PEs, and are left out: {}\n",
                fmt::join(line_.left_out, " "));
        if (builds_program())
            if (Result<void> done = check_inputs(line_.input_files); !done) return done.error();
        if (builds_program() && !line_.print_only) {
            Result<fs::path> file = temporary_file(elf_);
            if (!file) return file.error();
            elf_ = *file;
        }
        const bool stops = line_.inputs && !line_.links;
        if (line_.print_only || line_.asks || !(stops || line_.relocatable)) return run_gcc(line_, elf_);
        if (!stops) return run_staged(line_, stage_file(output_, false));
        int worst = 0;
        for (const Stop &stop : stopped_runs()) {
            Result<int> status = run_staged(stop.line, stop.stages ? stage_file(stop.line.output, writes_text()) : std::nullopt);
            if (!status) return status;
            worst = std::max(worst, *status);
        }
        return worst;
    }

private:
    bool builds_program() const { return line_.inputs && line_.links && !line_.relocatable && !line_.asks; }

    // To `elf` the linker writes.
    Result<int> run_gcc(const CommandLine &line, const std::string &elf) {
        std::string linker;
        if (builds_program() && !line.print_only && can_have_constants_apart()) {
            const Result<std::string> folder = linker_folder(tools_);
            if (!folder) return folder.error();
            linker = *folder;
        }
        Result<std::optional<Apart>> apart = apart_from_link(line);
        if (!apart) return apart.error();
        if (*apart) {
            Result<int> status = run_commands((*apart)->compilations);
            if (!status || *status != 0) return status;
        }
        Result<Command> gcc = gcc_command(*apart ? (*apart)->link : line, tools_, output_, elf, linker);
        if (!gcc) return gcc.error();
        if (line.print_only) return print_steps(*gcc);
        show(*gcc);
        Result<int> status = run_command(*gcc);
        std::error_code none;
        if (!status || *status != 0 || !builds_program() || !fs::exists(elf_, none)) return status;  // -Wl,--version writes nothing
        return build_program();
    }

    // A program's sources, each compiled to an object of its own, and the line that links these instead.
    struct Apart {
        std::vector<Command> compilations;
        CommandLine link;
    };

    // gcc compiles the sources of a line one after the other; so they are compiled at the same time, and linked by another line. Nothing if
    // there are not several, or something of the line is about all of them: what comes before another one (-x, a module of Fortran),
    // names of other files, what gcc says that it does.
    Result<std::optional<Apart>> apart_from_link(const CommandLine &line) const {
        const std::optional<Apart> nothing;
        if (!builds_program() || line.print_only || line.verbose || line.fortran_inputs) return nothing;
        for (const std::string &word : line.gcc_arguments) {
            for (const std::string_view named : {"-x", "-M", "-flto", "--coverage", "-Wa,-a", "-pass-exit-codes", "-time", "-wrapper"})
                if (word.starts_with(named)) return nothing;
            if (names_files(word)) return nothing;
        }
        std::vector<std::size_t> sources;
        for (const std::size_t place : line.input_places) switch (kind_of_input(line.gcc_arguments[place])) {
                case InputKind::source: sources.push_back(place); break;
                case InputKind::linked: break;
                case InputKind::other: return nothing;
            }
        if (sources.size() < 2) return nothing;
        std::optional<Apart> apart(Apart{{}, line});
        for (const std::size_t own : sources) {
            const fs::path source = line.gcc_arguments[own];
            const Result<fs::path> object = temporary_file(fmt::format("{}-{}.o", source.stem().string(), apart->compilations.size()));
            if (!object) return object.error();
            apart->link.gcc_arguments[own] = *object;
            CommandLine compilation = with_input(line, own);
            compilation.links = false;
            compilation.output = *object;
            compilation.gcc_arguments.push_back("-c");
            if (shows_colours()) compilation.gcc_arguments.insert(compilation.gcc_arguments.begin(), "-fdiagnostics-color=always");
            Result<Command> command = gcc_command(compilation, tools_, output_, "", "");
            if (!command) return command.error();
            apart->compilations.push_back(*std::move(command));
        }
        return apart;
    }

    // Whether gcc would, to our standard error, which it does not see.
    static bool shows_colours() {
        const char *const terminal = std::getenv("TERM"), *const colours = std::getenv("GCC_COLORS");
        return isatty(STDERR_FILENO) != 0 && terminal && std::string_view(terminal) != "dumb" && !(colours && !*colours);
    }

    // The line with this one of its inputs alone.
    static CommandLine with_input(const CommandLine &line, std::size_t own) {
        CommandLine alone = line;
        alone.gcc_arguments.clear();
        for (std::size_t i = 0; i < line.gcc_arguments.size(); i++)
            if (i == own || std::ranges::find(line.input_places, i) == line.input_places.end())
                alone.gcc_arguments.push_back(line.gcc_arguments[i]);
        return alone;
    }

    // What gcc writes has another name until it is whole.
    Result<int> run_staged(CommandLine line, const std::optional<Staged> &staged) {
        // The linker is told of its own; gcc makes names of other files from `output_` then.
        const std::string elf = staged ? staged->temporary.string() : output_;
        if (staged && !line.links) line.output = staged->temporary;
        Result<int> status = run_gcc(line, elf);
        std::error_code none;
        if (!status || *status != 0 || !staged || !fs::exists(staged->temporary, none)) return status;  // -c with nothing but objects
        if (Result<void> done = finish_staged(*staged); !done) return done.error();
        return status;
    }

    // Sources that are emitted are for devices that know of no second place; --unchecked has accesses that look for none.
    bool can_have_constants_apart() const { return line_.emit != Emit::sources && !line_.unchecked && !has_word("-T"); }
    bool has_word(std::string_view word) const { return std::ranges::find(line_.gcc_arguments, word) != line_.gcc_arguments.end(); }
    bool writes_text() const { return has_word("-S") || has_word("-E"); }

    // Where gcc stops early (-c, -S, -E, -M).
    struct Stop {
        CommandLine line;
        bool stages;  // a temporary may stand for the name after -o
    };

    // The command lines to run, each with the one file that it writes named by -o. Without -o gcc itself names a file for each source, so
    // each is run alone. As it is stays a line that makes names or contents of other files from that name, and one that writes none.
    std::vector<Stop> stopped_runs() const {
        const std::vector<Stop> as_it_is{{line_, false}};
        const bool is_named = !line_.output.empty(), asks_rules = has_word("-M") || has_word("-MM"),
                   rules = has_word("-MD") || has_word("-MMD");
        bool rules_file = false, rules_target = false;
        for (const std::string &word : line_.gcc_arguments) {
            if (names_files(word)) return as_it_is;
            rules_file |= word.starts_with("-MF");
            rules_target |= word.starts_with("-MT") || word.starts_with("-MQ");
        }
        // The rules go to the one or the other.
        if ((has_word("-E") && rules) || (asks_rules && rules_file)) return as_it_is;
        if (!is_named && (has_word("-E") || asks_rules || line_.input_places.empty())) return as_it_is;
        if (is_named && (line_.input_places.size() != 1 || asks_rules)) return {{line_, true}};

        std::vector<Stop> stops;
        for (const std::size_t own : line_.input_places) {
            CommandLine &line = stops.emplace_back(with_input(line_, own), true).line;
            const fs::path source = line_.gcc_arguments[own];
            if (source == "-" || (source.extension().empty() && !is_named)) return as_it_is;
            const auto named = [&](const char *suffix) { return source.filename().replace_extension(suffix).string(); };
            if (!is_named) line.output = named(has_word("-S") ? ".s" : ".o");
            if (!rules) continue;
            const std::vector<std::string> target{"-MQ", is_named ? line.output : named(".o")};
            const std::vector<std::string> file{"-MF", is_named ? fs::path(line.output).replace_extension(".d").string() : named(".d")};
            if (!rules_target) line.gcc_arguments.insert(line.gcc_arguments.end(), target.begin(), target.end());
            if (!rules_file) line.gcc_arguments.insert(line.gcc_arguments.end(), file.begin(), file.end());
        }
        return stops;
    }

    void show(const Command &command) const {
        if (line_.verbose || line_.print_only) say(" {}\n", quote(command));
    }

    HostBuild host_build() const {
        HostBuild build{split_words(tools_.host_compiler), line_.doubles};
        build.show = [this](const Command &command) { show(command); };
        return build;
    }

    // Code for lanes is compiled whole beside the blocks, or not at all: mogrun compiles it if it turns out to be worth it. Of seven
    // programs one took twice what is estimated.
    static bool has_time_for_lanes(const Image &image, const BlockOptions &blocks) {
        constexpr double at_most = 2;
        return blocks.all_in_lanes || !blocks.build_seconds ||
               at_most * lanes_seconds(image) <= *blocks.build_seconds * blocks.compiler_speed;
    }

    // The steps in this process are shown as the commands that do the same.
    Result<int> print_steps(const Command &gcc) const {
        show(gcc);
        if (!builds_program() || line_.emit == Emit::elf) return 0;
        show({"mogtr", elf_, "-o", "program.mog"});
        if (line_.emit == Emit::mog) return 0;
        show({"mogas", "program.mog", "-o", "program.image"});
        if (line_.emit != Emit::executable) return 0;
        if (line_.for_host && !tools_.host_compiler.empty() && (compiles_blocks() || line_.unchecked))
            show_host_build(host_libraries(BlockParts{compiles_blocks() ? 1u : 0u, 0, true}, Simd::none), host_build());
        if (!line_.for_cuda) return 0;
        const Result<CudaCodeBuild> build = cuda_build();
        if (!build) return build.error();
        show_cuda_build(*build);
        return 0;
    }

    Result<int> build_program() {
        Result<std::vector<std::uint8_t>> elf = read_file(elf_);
        if (!elf) return elf.error();
        if (Result<void> done = save(Emit::elf, *elf); !done) return done.error();
        if (line_.emit == Emit::elf) return finish(write_file(output_, *elf, 0777));

        Result<MogProgram> program = translate(*elf);
        if (!program) return Error{fmt::format("{}: {}", name(), program.error().text())};
        if (line_.emit == Emit::mog) return finish(write_text_file(output_, print(*program)));
        // As text only for who wants it: that takes as long as the translation.
        if (saves())
            if (Result<void> done = save(Emit::mog, as_byte_span(print(*program))); !done) return done.error();

        const bool strips = line_.strip && (line_.emit == Emit::executable || line_.emit == Emit::image);
        if (strips) forget_names(*program);

        AssembleOptions options = line_.assemble;
        options.generate.program_name = name();
        options.generate.unchecked = line_.unchecked;
        options.blocks.host_compiles = compiles_while_running();
        if (line_.emit == Emit::sources) {
            options.blocks.only = purpose_of(line_.sources);
        } else if (const Result<Command> compiler = usable_host_compiler();
                   compiler && line_.for_host && options.blocks.build_seconds.value_or(0) > 0) {
            const Result<double> speed = compiler_speed(*compiler);
            if (!speed) return speed.error();
            options.blocks.compiler_speed = *speed;
        }
        // Lanes compute doubles natively.
        if (!computes_natively() && !options.blocks.all_in_lanes) options.blocks.lanes = Simd::none;
        std::vector<std::string> notes;
        Progress progress("searching an order of subinterpreters");
        if (options.order.seconds >= long_search) options.order.watch = [&](double part) { progress.show(part); };
        Result<Image> image = assemble(*program, options, &notes);
        progress.clear();
        if (!image) return image.error().where.empty() ? Error{fmt::format("{}: {}", name(), image.error().text())} : image.error();
        if (strips) image->symbols.clear();
        for (const std::string &note : notes) say("mogcc: warning: {}\n", note);
        // So that a debugger needs nothing but the executable.
        const bool is_run = line_.emit == Emit::executable || line_.emit == Emit::image;
        if (is_run && !strips && !program->lines.empty()) image->products.set(ProductKind::elf, std::move(*elf));
        if (!line_.doubles.empty()) image->products.set_text(ProductKind::doubles, line_.doubles);
        for (const SourceKind &kind : source_kinds())
            if (Result<void> done = save(kind.suffix, *image->products.find(kind.product)); !done) return done.error();
        if (const auto *lanes = image->products.find(ProductKind::lanes_cpp))
            if (Result<void> done = save(".lanes.cpp", *lanes); !done) return done.error();
        if (line_.emit == Emit::sources) {
            if (!has_lanes_arithmetic(*image)) image->products.erase(ProductKind::places);
            return finish(write_sources(*image, line_.sources, output_, name()));
        }
        if (line_.for_host)
            if (Result<void> done = compile_for_host(*image, options.blocks); !done) return done.error();
        if (line_.for_cuda)
            if (Result<void> done = compile_for_cuda(*image); !done) return done.error();
        if (line_.emit == Emit::image) return finish(write_file(output_, write_image(*image)));
        if (saves())
            if (Result<void> done = save(Emit::image, write_image(*image)); !done) return done.error();
        return finish(write_executable(output_, tools_.launcher, *image));
    }

    Result<int> finish(Result<void> written) const {
        if (!written) return written.error();
        return 0;
    }

    std::string name() const {
        return line_.first_input.empty() || line_.first_input == "-" ? fs::path(output_).filename().string() : line_.first_input;
    }

    Result<MogProgram> translate(const std::vector<std::uint8_t> &elf) const {
        TranslateOptions options;
        options.without = line_.without_pass;
        options.wants_dump = [&](std::string_view pass) {
            return std::find(line_.dump_after.begin(), line_.dump_after.end(), pass) != line_.dump_after.end();
        };
        options.dump = [](std::string_view, const std::string &text) { say_text(text); };
        return translate_elf(elf, options);
    }

    // Whether blocks are compiled for the device `host` beforehand.
    bool compiles_blocks() const {
        const BlockOptions &blocks = line_.assemble.blocks;
        return !compiles_while_running() || blocks.all || blocks.build_seconds.value_or(0) > 0;
    }

    // What was asked for of the C++ forms of the interpreter becomes shared objects in the image, for the device `host`. Without them
    // mogrun has an interpreter, and compiles what is executed.
    Result<void> compile_for_host(Image &image, const BlockOptions &blocks) {
        const bool interpreter = compiles_blocks() || line_.unchecked;
        const bool lanes = interpreter || line_.assemble.blocks.all_in_lanes;
        const Simd simd = lanes && has_time_for_lanes(image, blocks) ? compiled_lanes(image) : Simd::none;
        if (!interpreter && simd == Simd::none) return {};
        const HostBuild build = host_build();
        if (build.compiler.empty()) return {};
        if (!program_exists(build.compiler.front())) {
            say("mogcc: warning: {} is not here, so nothing is compiled for the device `host` beforehand{}; "
                "on Debian: apt-get install g++ (or name another in MOG_CXX)\n",
                build.compiler.front(), line_.unchecked ? ", and there loads and stores check their addresses" : "");
            return {};
        }
        return add_host_code(image, build, interpreter, simd);
    }

    Result<CudaCodeBuild> cuda_build() const {
        CudaCodeBuild build;
        Result<Command> nvcc = find_nvcc();
        if (!nvcc) return nvcc.error();
        const Result<std::vector<CudaTarget>> known = known_cuda_targets(*nvcc);
        if (!known) return known.error();
        Result<std::vector<CudaTarget>> chosen =
            choose_cuda_targets(line_.cuda_targets.empty() ? usual_cuda_targets : std::string_view(line_.cuda_targets), *known);
        if (!chosen) return chosen.error();
        build.nvcc = *std::move(nvcc);
        build.targets = *std::move(chosen);
        build.show = [this](const Command &command) { show(command); };
        return build;
    }

    // The CUDA form, for runs without options that change it.
    Result<void> compile_for_cuda(Image &image) const {
        Result<CudaCodeBuild> build = cuda_build();
        if (!build) return build.error();
        const Result<std::string> definitions = usual_cuda_definitions(image);
        if (!definitions) return definitions.error();
        build->definitions = *definitions;
        auto codes = build_cuda_code(*build, image.products.bytes(ProductKind::cuda));
        if (!codes) return codes.error();
        image.products.set_text(ProductKind::cuda_definitions, *definitions);
        for (std::size_t i = 0; i < codes->size(); ++i)
            image.products.set({ProductKind::cuda_code, build->targets[i].name()}, std::move((*codes)[i]));
        return {};
    }

    bool computes_natively() const { return line_.doubles != "pair" && line_.doubles != "soft"; }

    // Whether code for lanes, if there is any, computes as the program shall; says so if not.
    bool has_lanes_arithmetic(const Image &image) const {
        if (simd_of(image) == Simd::none || computes_natively()) return true;
        say("mogcc: warning: --simd={} computes doubles natively, so with --double={} there is no code for lanes\n",
            name_of(simd_of(image)), line_.doubles);
        return false;
    }

    // What code for lanes is compiled for: none if there is no such code, or it can be neither compiled nor run here.
    Simd compiled_lanes(const Image &image) const {
        const Simd simd = simd_of(image);
        if (!has_lanes_arithmetic(image)) return Simd::none;
        if (simd <= best_simd()) return simd;
        say("mogcc: warning: this processor has no {}, so there is no code for lanes\n", title_of(simd));
        return Simd::none;
    }

    // Under -save-temps the files between the steps stay, beside the output.
    bool saves() const { return line_.save_temps && output_ != "-"; }
    Result<void> save(Emit product, std::span<const std::uint8_t> bytes) const {
        if (product == line_.emit) return {};
        return save(product == Emit::mog ? "" : suffix_of(product), bytes);
    }
    Result<void> save(std::string_view suffix, std::span<const std::uint8_t> bytes) const {
        if (!saves()) return {};
        // Not replace_extension: a program may be called sort.v2. And its source may be sort.cpp, hence the .mog before it.
        std::string path = fmt::format("{}.mog{}", output_, suffix);
        // Linked programs are executable, and qemu insists on it.
        return write_file(path, bytes, suffix == suffix_of(Emit::elf) ? 0777 : 0666);
    }

    const CommandLine &line_;
    const Toolchain &tools_;
    std::string output_;
    std::string elf_ = "program.elf";  // where ld puts the linked program
};

}  // namespace

int drive(const CommandLine &line, const Toolchain &tools) {
    Result<int> status = Driver(line, tools).run();
    if (status) return *status;
    say("mogcc: error: {}\n", status.error().text());
    return 1;
}

}  // namespace mog
