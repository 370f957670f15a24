// libmog.cpp: the functions of mog.h up to a run that is set up: errors, devices, programs, settings.
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "interp_templates/launch_abi.h"
#include "runtime_host/api/libmog_handles.hpp"
#include "runtime_host/devices/open_device.hpp"
#include "support/compilers/simd.hpp"

using namespace mog;

mog_code mog::tell(const Failure &failure, mog_error *error) {
    if (failure.code == MOG_OK || !error) return failure.code;
    error->code = failure.code;
    std::string_view text = failure.text;
    constexpr std::string_view more = "...";
    if (text.size() >= sizeof error->text) {
        std::size_t size = sizeof error->text - 1 - more.size();
        while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) size--;  // whole characters
        std::memcpy(error->text, text.data(), size);
        std::memcpy(error->text + size, more.data(), more.size());
        error->text[size + more.size()] = 0;
    } else {
        std::memcpy(error->text, text.data(), text.size());
        error->text[text.size()] = 0;
    }
    return failure.code;
}

namespace {

constexpr std::uint32_t most_pes = 1u << 24;
constexpr std::size_t most_name_bytes = 127;

/// Settings of mogrun that a run in a library does not have, and what to do instead.
const char *instead_of(std::string_view name) {
    if (name == "stats") return "mog_run_stats() gives them";
    if (name == "profile") return "use mogrun --profile";
    if (name == "profile-report") return "use mogrun --profile-report";
    if (name == "graph" || name == "graph-trace" || name == "graph-scheduler")
        return "MOG_GRAPH, MOG_GRAPH_TRACE and MOG_GRAPH_SCHEDULER in the environment of its PEs are what tells them "
               "(mog_run_set_environment())";
    if (name == "checkpoint" || name == "every" || name == "resume") return "use mogrun --checkpoint";
    return nullptr;
}

/// The setting with this long name: "np" of "-n,--np".
const Setting *find_setting(std::string_view name) {
    for (const Setting &setting : settings()) {
        const std::size_t dashes = setting.option.rfind("--");
        if (setting.option.substr(dashes + 2) == name) return &setting;
    }
    return nullptr;
}

/// Whether a setting may be about this PE. How many fill a device is known later.
bool may_be_set(const mog_run &run, std::uint32_t pe) { return pe == MOG_ALL_PES || run.config.fill || pe < run.pes; }

Failure set_pes(mog_run &run, std::uint32_t pes) {
    if (pes != MOG_FILL_DEVICE && (pes == 0 || pes > most_pes))
        return {MOG_ERROR_ARGUMENT, fmt::format("{} is not a number of PEs from 1 to {}", pes, most_pes)};
    run.config.fill = pes == MOG_FILL_DEVICE;
    run.config.options.nproc = run.config.fill ? 0 : pes;
    run.pes = run.config.options.nproc;
    return done;
}

Failure set(mog_run &run, std::string_view name, std::string_view value) {
    if (const char *instead = instead_of(name))
        return {MOG_ERROR_ARGUMENT, fmt::format("\"{}\" is no setting of a run in a library: {}", name, instead)};
    const Setting *setting = find_setting(name);
    if (!setting) return {MOG_ERROR_ARGUMENT, fmt::format("there is no setting \"{}\"; mogrun --help lists them", name)};
    // A value that is wrong may have changed something before that was seen.
    Options changed = run.config.options;
    if (Result<void> read = setting->read(changed, setting->value_optional && value.empty() ? "true" : value); !read)
        return {MOG_ERROR_ARGUMENT, fmt::format("{}: {}", name, read.error().message)};
    run.config.options = std::move(changed);
    if (name == "np") return set_pes(run, run.config.options.nproc);
    return done;
}

Failure copy_words(std::string_view what, std::size_t count, const char *const *words, Words *out) {
    if (count && !words) return null_argument(what);
    auto copy = std::make_shared<std::vector<std::string>>();
    copy->reserve(std::min<std::size_t>(count, 1 << 16));
    for (std::size_t i = 0; i < count; i++) {
        if (!words[i]) return null_argument(fmt::format("{}[{}]", what, i));
        copy->emplace_back(words[i]);
    }
    *out = std::move(copy);
    return done;
}

Failure new_program(Result<Image> image, std::string name, mog_code unreadable, mog_program **program) {
    if (!image) return {unreadable, image.error().text()};
    auto made = std::make_unique<mog_program>();
    made->content = std::make_shared<ProgramContent>();
    made->content->image = *std::move(image);
    if (!name.empty()) made->content->name = std::move(name);
    *program = made.release();
    return done;
}

/// Of code that is linked in, a mog_native_code or mog_lanes_code, called `what` in mog.h: whether it is for this library and this image.
template <typename Code>
Failure check_code(const Code &code, std::uint64_t checksum, std::string_view what) {
    if (code.version != MOG_LAUNCH_VERSION)
        return {MOG_ERROR_PROGRAM,
                fmt::format("the program's code was written by a mogcc with kernels of version {}, and this libmog has {}: "
                            "write it anew",
                            code.version, MOG_LAUNCH_VERSION)};
    if (code.image != checksum)
        return {MOG_ERROR_PROGRAM, "the program's code and its image are not of the same run of mogcc: build both anew"};
    if (!code.init || !code.transfer || !code.run) return null_argument(fmt::format("a kernel of {}", what));
    return done;
}

/// Of the code for lanes the best that this processor has, or, where it has none, the one that asks for least: messages say what it lacks.
Failure link_lanes(const mog_native_code &code, std::uint64_t checksum, Image &image) {
    const auto rank = [best = static_cast<int>(best_simd())](Simd simd) {
        const auto wants = static_cast<int>(simd);
        return wants <= best ? wants : -wants;
    };
    Simd chosen = Simd::none;  // linked so far
    for (const mog_lanes_code *lanes : code.lanes) {
        if (!lanes) continue;
        if (Failure wrong = check_code(*lanes, checksum, "parts->code->lanes"); wrong.code != MOG_OK) return wrong;
        const std::optional<Simd> simd = lanes->simd ? simd_named(lanes->simd) : std::nullopt;
        if (!simd || *simd == Simd::none) return {MOG_ERROR_ARGUMENT, "the simd of parts->code->lanes is no instruction set"};
        if (!image.products.has(ProductKind::places))
            return {MOG_ERROR_PROGRAM, "the program's image lacks what its code for lanes needs: build both anew"};
        if (chosen != Simd::none && rank(chosen) > rank(*simd)) continue;
        chosen = *simd;
        image.products.set_text(ProductKind::simd, lanes->simd);
        image.linked_lanes = LinkedKernels{lanes->init, lanes->transfer, lanes->run};
    }
    return done;
}

Failure program_from_parts(const mog_parts &parts, mog_program **program) {
    if (!parts.image) return null_argument("parts->image");
    const std::span<const std::uint8_t> bytes(static_cast<const std::uint8_t *>(parts.image), parts.image_bytes);
    Result<Image> image = read_image(bytes);
    if (!image) return {MOG_ERROR_PROGRAM, image.error().text()};
    // Whatever interpreters the image came with.
    for (const ProductKind product : {ProductKind::opencl, ProductKind::cuda, ProductKind::cpp, ProductKind::host, ProductKind::lanes,
                                      ProductKind::lanes_cpp, ProductKind::simd})
        image->products.erase(product);
    for (const auto &[product, source] : {std::pair{ProductKind::opencl, parts.opencl}, std::pair{ProductKind::cuda, parts.cuda}})
        if (source) image->products.set_text(product, source);
    if (const mog_native_code *code = parts.code) {
        const std::uint64_t checksum = image_checksum(bytes);
        if (Failure wrong = check_code(*code, checksum, "parts->code"); wrong.code != MOG_OK) return wrong;
        image->linked = LinkedKernels{code->init, code->transfer, code->run};
        if (Failure wrong = link_lanes(*code, checksum, *image); wrong.code != MOG_OK) return wrong;
    }
    if (!image->linked_lanes) image->products.erase(ProductKind::places);
    return new_program(std::move(image), "", MOG_ERROR_PROGRAM, program);
}

}  // namespace

// ---- errors, devices ----------------------------------------------------------------------------------------------------

const char *mog_code_name(int code) {
    switch (code) {
        case MOG_OK: return "MOG_OK";
        case MOG_ERROR_ARGUMENT: return "MOG_ERROR_ARGUMENT";
        case MOG_ERROR_FILE: return "MOG_ERROR_FILE";
        case MOG_ERROR_PROGRAM: return "MOG_ERROR_PROGRAM";
        case MOG_ERROR_SETUP: return "MOG_ERROR_SETUP";
        case MOG_ERROR_DEVICE: return "MOG_ERROR_DEVICE";
        case MOG_ERROR_PE: return "MOG_ERROR_PE";
        case MOG_ERROR_ADDRESS: return "MOG_ERROR_ADDRESS";
        case MOG_ERROR_SYMBOL: return "MOG_ERROR_SYMBOL";
        case MOG_ERROR_STATE: return "MOG_ERROR_STATE";
        case MOG_ERROR_MEMORY: return "MOG_ERROR_MEMORY";
        case MOG_ERROR_INTERNAL: return "MOG_ERROR_INTERNAL";
    }
    return "unknown code";
}

const char *mog_version(void) { return MOG_VERSION; }

mog_code mog_list_devices(const mog_program *program, void (*tell_of)(void *user, const mog_device *device), void *user, mog_error *error) {
    return guarded(error, [&]() -> Failure {
        if (!tell_of) return null_argument("tell");
        for (const DeviceInfo &info : list_devices(program ? &program->content->image : nullptr, nullptr)) {
            const mog_device device{info.id.c_str(), info.description.c_str(), info.is_gpu, info.fill_pes, info.memory_bytes};
            tell_of(user, &device);
        }
        return done;
    });
}

// ---- programs -----------------------------------------------------------------------------------------------------------

mog_code mog_program_open(const char *path, mog_program **program, mog_error *error) {
    if (program) *program = nullptr;
    return guarded(error, [&]() -> Failure {
        if (!path) return null_argument("path");
        if (!program) return null_argument("program");
        // What cannot be read is told from what can, but is no program.
        std::error_code failed;
        if (std::filesystem::is_directory(path, failed)) return {MOG_ERROR_FILE, fmt::format("{} is a directory, not a program", path)};
        if (access(path, R_OK) != 0) return {MOG_ERROR_FILE, fmt::format("cannot open {}: {}", path, std::strerror(errno))};
        return new_program(load_image(path), path, MOG_ERROR_PROGRAM, program);
    });
}

mog_code mog_program_from_memory(const void *bytes, size_t size, mog_program **program, mog_error *error) {
    if (program) *program = nullptr;
    return guarded(error, [&]() -> Failure {
        if (!bytes) return null_argument("bytes");
        if (!program) return null_argument("program");
        return new_program(read_program({static_cast<const std::uint8_t *>(bytes), size}), "", MOG_ERROR_PROGRAM, program);
    });
}

mog_code mog_program_from_parts(const mog_parts *parts, mog_program **program, mog_error *error) {
    if (program) *program = nullptr;
    return guarded(error, [&]() -> Failure {
        if (!parts) return null_argument("parts");
        if (!program) return null_argument("program");
        return program_from_parts(*parts, program);
    });
}

void mog_program_free(mog_program *program) { delete program; }

mog_code mog_program_symbol(const mog_program *program, const char *name, mog_symbol *symbol, mog_error *error) {
    return guarded(error, [&]() -> Failure {
        if (!program) return null_argument("program");
        if (!name) return null_argument("name");
        if (!symbol) return null_argument("symbol");
        const Symbol *found = nullptr;
        for (const Symbol &candidate : program->content->image.symbols) {
            if (candidate.is_code || candidate.name != name) continue;
            if (found && found->address != candidate.address)
                return {MOG_ERROR_SYMBOL,
                        fmt::format("the program has several variables {}, at {:#x} and {:#x}", name, found->address, candidate.address)};
            found = &candidate;
        }
        if (!found) return {MOG_ERROR_SYMBOL, fmt::format("the program has no variable {}", name)};
        *symbol = {found->address, found->size};
        return done;
    });
}

// ---- setting up ---------------------------------------------------------------------------------------------------------

mog_code mog_run_new(mog_program *program, mog_run **run, mog_error *error) {
    if (run) *run = nullptr;
    return guarded(error, [&]() -> Failure {
        if (!program) return null_argument("program");
        if (!run) return null_argument("run");
        auto made = std::make_unique<mog_run>();
        made->program = program->content;
        made->config.options.nproc = 1;
        made->config.options.stdin_mode = FileSystem::Stdin::None;
        made->config.arguments = std::make_shared<const std::vector<std::string>>(1, program->content->name);
        made->config.environment = std::make_shared<const std::vector<std::string>>();
        made->config.keeps_causes = true;
        made->config.owns_process = false;
        made->config.memory_hint = "the setting \"mem\"";
        *run = made.release();
        return done;
    });
}

mog_code mog_run_set_pes(mog_run *run, uint32_t pes, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) { return set_pes(r, pes); });
}

mog_code mog_run_set_device(mog_run *run, const char *device, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) { return device ? set(r, "device", device) : null_argument("device"); });
}

mog_code mog_run_set(mog_run *run, const char *name, const char *value, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) -> Failure {
        if (!name) return null_argument("name");
        if (!value) return null_argument("value");
        return set(r, name, value);
    });
}

mog_code mog_run_set_arguments(mog_run *run, uint32_t pe, size_t count, const char *const *words, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) -> Failure {
        if (!may_be_set(r, pe)) return no_such_pe(pe, r.pes);
        return copy_words("words", count, words, pe == MOG_ALL_PES ? &r.config.arguments : &r.config.own[pe].arguments);
    });
}

mog_code mog_run_set_environment(mog_run *run, uint32_t pe, size_t count, const char *const *strings, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) -> Failure {
        if (!may_be_set(r, pe)) return no_such_pe(pe, r.pes);
        return copy_words("strings", count, strings, pe == MOG_ALL_PES ? &r.config.environment : &r.config.own[pe].environment);
    });
}

mog_code mog_run_set_input(mog_run *run, uint32_t pe, const void *bytes, size_t size, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) -> Failure {
        if (!may_be_set(r, pe)) return no_such_pe(pe, r.pes);
        if (size && !bytes) return null_argument("bytes");
        auto copy = std::make_shared<const std::string>(static_cast<const char *>(bytes), size);
        (pe == MOG_ALL_PES ? r.config.input : r.config.own[pe].input) = std::move(copy);
        return done;
    });
}

mog_code mog_run_set_output(mog_run *run, int output, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) -> Failure {
        if (output != MOG_OUTPUT_KEEP && output != MOG_OUTPUT_DISCARD && output != MOG_OUTPUT_STREAMS)
            return {MOG_ERROR_ARGUMENT, fmt::format("{} is not a mog_output", output)};
        r.output = static_cast<mog_output>(output);
        return done;
    });
}

mog_code mog_run_on_output(mog_run *run, mog_output_function *function, void *user, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) {
        r.on_output = function;
        r.output_user = user;
        return done;
    });
}

mog_code mog_run_on_log(mog_run *run, mog_log_function *function, void *user, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) {
        r.on_log = function;
        r.log_user = user;
        return done;
    });
}

mog_code mog_run_on_progress(mog_run *run, mog_progress_function *function, void *user, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) {
        r.on_progress = function;
        r.progress_user = user;
        return done;
    });
}

mog_code mog_run_register(mog_run *run, const char *name, mog_native_function *function, void *user, mog_error *error) {
    return on_setup(run, error, [&](mog_run &r) -> Failure {
        if (!name) return null_argument("name");
        if (!function) return null_argument("function");
        const std::size_t length = strnlen(name, most_name_bytes + 1);
        if (length == 0 || length > most_name_bytes)
            return {MOG_ERROR_ARGUMENT, fmt::format("a name of a native function has 1 to {} bytes", most_name_bytes)};
        r.natives.add(name, [function, user](std::span<mog_call> calls, PeMemory &memory) {
            mog_memory way{memory};
            function(user, calls.data(), calls.size(), &way);
        });
        return done;
    });
}
