// host_compiler.cpp: the parts and their flags.
#include "support/compilers/host_compiler.hpp"

#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

#include "support/files/files.hpp"
#include "support/files/temporary.hpp"
#include "support/text.hpp"

namespace mog {
namespace {

// As dialect_host.h asks.
constexpr const char *all_flags[] = {"-fPIC", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing"};

// A processor core runs a PE at a time, so a switch. Its cases aligned: where they come to lie makes a difference of up to
// a fifth otherwise.
const std::vector<std::string> interpreter_flags = {"-O2", "-falign-labels=32", "-DMOG_ENGINE_SWITCH"};

// What is beside lanes executes what few of them do, and g++ takes 0.6 times as long for it so: of three programs that it executes most of
// one was a quarter slower, two a sixth faster.
const std::vector<std::string> lanes_interpreter_flags = {"-O1", "-falign-labels=32", "-DMOG_ENGINE_SWITCH", "-DMOG_ENGINE_LANES",
                                                          "-DMOG_WARP=MOG_LANES"};

// g++'s analysis of value ranges takes minutes over a function with hundreds of labels that a switch leads to, and the code is no
// faster for it (3 % slower over the bench's programs).
const std::vector<std::string> block_flags = {
    "-O2", "-fno-tree-vrp", "-fno-thread-jumps", "-DMOG_ENGINE_BLOCKS", "-DMOG_ONLY_BLOCKS", "-DMOG_NATIVE"};

// A quarter to a half faster to compile, and by as much less worth it: for code that is not expected to be executed much.
const std::vector<std::string> cold_block_flags = {"-O1", "-fno-tree-pta", "-DMOG_ENGINE_BLOCKS", "-DMOG_ONLY_BLOCKS", "-DMOG_NATIVE"};

std::vector<std::string> lane_flags(Simd simd) {
    std::vector<std::string> flags{"-O1"};
    if (const char *const machine = machine_option(simd)) flags.emplace_back(machine);
    // What few lanes do is called: what is in registers is saved where that happens, not kept in memory everywhere.
    flags.push_back("-fcaller-saves");
    return flags;
}

std::vector<std::string> with(std::vector<std::string> flags, std::initializer_list<const char *> more) {
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
}

Command compile_part(const HostBuild &build, const HostLibrary::Part &part, const std::string &source, const std::string &object) {
    Command command = build.compiler;
    command.insert(command.end(), build.warnings.begin(), build.warnings.end());
    command.insert(command.end(), std::begin(all_flags), std::end(all_flags));
    command.insert(command.end(), part.flags.begin(), part.flags.end());
    if (build.doubles == "pair") command.push_back("-DMOG_DOUBLE_PAIR");
    if (build.doubles == "soft") command.push_back("-DMOG_DOUBLE_SOFT");
    command.insert(command.end(), {"-x", "c++", "-c", source, "-o", object});
    return command;
}

Command link_library(const HostBuild &build, const std::vector<std::string> &objects, const std::string &library) {
    Command command = build.compiler;
    command.push_back("-shared");
    command.insert(command.end(), objects.begin(), objects.end());
    command.insert(command.end(), {"-o", library});
    return command;
}

// Where things stand.
std::string object_name(const HostLibrary::Part &part) { return part.object + ".o"; }
std::string library_name(const HostLibrary &library) {
    static constexpr const char *names[] = {"program.host.so", "program.lanes.so", "program.sequence.so"};
    return names[static_cast<std::size_t>(library.product)];
}

}  // namespace

std::string host_source_name(HostSource source) { return source == HostSource::lanes ? "program.lanes.cpp" : "program.cpp"; }

HostCommands host_commands(const HostLibrary &library, const HostBuild &build) {
    HostCommands commands;
    std::vector<std::string> objects;
    for (const HostLibrary::Part &part : library.parts) {
        objects.push_back(object_name(part));
        commands.compilations.push_back(compile_part(build, part, host_source_name(part.source), objects.back()));
    }
    commands.result = library_name(library);
    commands.link = link_library(build, objects, commands.result);
    return commands;
}

std::vector<HostLibrary> host_libraries(std::optional<BlockParts> interpreter, Simd lanes) {
    std::vector<HostLibrary> libraries;
    const BlockParts blocks = interpreter.value_or(BlockParts{});
    if (interpreter && blocks.hot + blocks.cold == 0) {
        const auto flags = blocks.any ? with(interpreter_flags, {"-DMOG_ENGINE_BLOCKS", "-DMOG_NATIVE"}) : interpreter_flags;
        libraries.push_back({HostProduct::host, {{HostSource::interpreter, "interpreter", flags}}});
    } else if (interpreter) {
        libraries.push_back(
            {HostProduct::host,
             {{HostSource::interpreter, "interpreter", with(interpreter_flags, {"-DMOG_ENGINE_BLOCKS", "-DMOG_ONLY_INTERPRETER"})}}});
        const std::size_t all = blocks.hot + blocks.cold;
        for (std::size_t part = 0; part < all; ++part) {
            HostLibrary::Part &made =
                libraries.back().parts.emplace_back(HostSource::interpreter, "blocks", part < blocks.hot ? block_flags : cold_block_flags);
            if (all == 1) continue;
            made.object += std::to_string(part);
            made.flags.push_back(fmt::format("-DMOG_BLOCKS_PART={}", part));
        }
    }
    if (lanes != Simd::none)
        libraries.push_back(
            {HostProduct::lanes,
             {{HostSource::lanes, "lanes", lane_flags(lanes)}, {HostSource::interpreter, "lanes_interpreter", lanes_interpreter_flags}}});
    return libraries;
}

HostLibrary host_sequence_library(bool count, bool fuel) {
    std::vector<std::string> flags{"-O2"};
    if (count) flags.push_back("-DMOG_COUNT");
    if (fuel) flags.push_back("-DMOG_FUEL");
    return {HostProduct::sequence, {{HostSource::interpreter, "sequence", std::move(flags)}}};
}

std::string host_compiler() {
    const char *named = std::getenv("MOG_CXX");
    return named ? named : "c++";
}

Result<Command> usable_host_compiler() {
    Command compiler = split_words(host_compiler());
    if (compiler.empty() || !program_exists(compiler.front()))
        return Error{"this needs a C++ compiler, and there is none here; on Debian: apt-get install g++ (or name another in MOG_CXX)"};
    return compiler;
}

void show_host_build(const std::vector<HostLibrary> &libraries, const HostBuild &build) {
    for (const HostLibrary &library : libraries) {
        const HostCommands commands = host_commands(library, build);
        for (const Command &command : commands.compilations) build.show(command);
        build.show(commands.link);
    }
}

Result<std::vector<std::vector<std::uint8_t>>> build_host_libraries(const std::vector<HostLibrary> &libraries, const HostBuild &build,
                                                                    const HostSources &sources) {
    std::vector<Command> compilations, links;
    std::vector<std::string> results;  // the file of each
    for (const HostLibrary &library : libraries) {
        std::vector<std::string> objects;
        for (const HostLibrary::Part &part : library.parts) {
            const auto source = temporary_file(host_source_name(part.source)), object = temporary_file(object_name(part));
            if (!source) return source.error();
            if (!object) return object.error();
            MOG_TRY(write_file(*source, part.source == HostSource::lanes ? sources.lanes : sources.interpreter));
            compilations.push_back(compile_part(build, part, *source, *object));
            objects.push_back(*object);
        }
        const auto result = temporary_file(library_name(library));
        if (!result) return result.error();
        links.push_back(link_library(build, objects, *result));
        results.push_back(*result);
    }
    for (const std::vector<Command> *commands : {&compilations, &links}) {
        for (const Command &command : *commands) build.show(command);
        const Result<int> status = run_commands(*commands);
        if (!status) return status.error();
        if (*status != 0)
            return Error{fmt::format("{} could not compile the interpreter for this machine (status {})", build.compiler.front(), *status)};
    }
    std::vector<std::vector<std::uint8_t>> made;
    for (const std::string &file : results) {
        auto bytes = read_file(file);
        if (!bytes) return bytes.error();
        made.push_back(*std::move(bytes));
    }
    return made;
}

}  // namespace mog
