// main.cpp: mogrun, and the launcher inside every program that mogcc makes. As mogrun it reads options up to the
// program's name; as a launcher (an image stands behind it in its own file) all arguments are the program's.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "runtime_host/calibrate/calibrate.hpp"
#include "runtime_host/checkpoint/checkpoint_file.hpp"
#include "runtime_host/checkpoint/settings.hpp"
#include "runtime_host/checkpoint/world_reader.hpp"
#include "runtime_host/config/mpirun_options.hpp"
#include "runtime_host/config/options.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/open_device.hpp"
#include "runtime_host/linux/syscalls.hpp"
#include "runtime_host/mpi/transport/bridge.hpp"
#include "runtime_host/replay/recording_file.hpp"
#include "runtime_host/run/interrupt.hpp"
#include "runtime_host/run/standalone_run.hpp"
#include "runtime_host/watch/top.hpp"
#include "support/command_line/command_line.hpp"
#include "support/environment.hpp"
#include "support/files/files.hpp"
#include "support/files/temporary.hpp"
#include "support/progress.hpp"
#include "support/say.hpp"
#include "support/sizes.hpp"
#include "support/text.hpp"

namespace {

namespace fs = std::filesystem;

enum ExitCode { Success = 0, BadInput = 1, BadUsage = 2, DeviceFailure = 3 };

constexpr const char *self = "/proc/self/exe";

std::string tool_name = "mogrun";

void complain(std::string_view message) { mog::say("{}: {}\n", tool_name, message); }

/// What was asked for, to standard output.
int show(const std::string &text) {
    mog::Result<void> written = mog::write_text_file("-", text);
    if (written) return Success;
    complain(written.error().text());
    return BadInput;
}

int run(const mog::StandaloneProgram &program, const mog::Options &options) {
    mog::RunOutcome outcome = mog::run_standalone(program, options, complain);
    if (outcome.failure != mog::RunFailure::None) {
        // Of several processes, one tells.
        if (!outcome.message.empty()) complain(outcome.message);
        return outcome.failure == mog::RunFailure::Input ? BadInput : DeviceFailure;
    }
    mog::say_text(outcome.stats);
    if (outcome.is_interrupted) {
        std::fflush(nullptr);
        mog::remove_temporaries();
        mog::die_of_interrupt();
    }
    if (outcome.unfinished) {
        std::fflush(nullptr);
        mog::remove_temporaries();
        std::quick_exit(outcome.status);  // not a word to threads that still compile; libmogcuda tells its statistics
    }
    return outcome.status;
}

int list_devices(const mog::Image *image) {
    std::vector<std::string> notes;
    std::string text;
    for (const mog::DeviceInfo &device : mog::list_devices(image, &notes)) text += fmt::format("{:<12}{}\n", device.id, device.description);
    for (const std::string &note : notes) text += fmt::format("({})\n", note);
    return show(text);
}

/// mogrun --calibrate
int calibrate(const mog::Options &options) {
    mog::CalibrateOptions calibration;
    calibration.device = options.device;
    calibration.doubles = options.doubles;
    // Tests, which do not ask how exact it is.
    if (std::getenv("MOG_TEST_CALIBRATE_QUICKLY")) calibration.rounds = 1;
    mog::remove_temporaries_on_signals();
    mog::Progress progress("calibrating");
    mog::Result<mog::MeasuredCosts> costs = mog::calibrate(calibration, [&](double part) { progress.show(part); });
    progress.clear();
    if (!costs) {
        complain(costs.error().text());
        return DeviceFailure;
    }
    const fs::path path = mog::costs_path(*costs);
    std::error_code failed;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
    if (mog::Result<void> written = mog::write_text_file(path, mog::write_costs(*costs)); !written) {
        complain(written.error().text());
        return BadInput;
    }
    return show(mog::describe_costs(*costs) + fmt::format("mogcc --costs={} uses these costs.\n", path.string()));
}

/// ./prog args
int run_self(int argc, char **argv) {
    tool_name = fs::path(argc > 0 ? argv[0] : "mog").filename().string();
    mog::Options options;
    if (mog::Result<void> read = mog::read_environment(options); !read) {
        complain(read.error().text());
        return BadUsage;
    }
    mog::Result<mog::Image> image = mog::load_image(self);
    if (!image) {
        complain(image.error().text());
        return BadInput;
    }
    const std::vector<std::string> arguments(argv, argv + argc);
    std::error_code failed;
    return run({*image, fs::read_symlink(self, failed), arguments}, options);
}

/// The program's image. Error: what the file is instead.
mog::Result<mog::Image> load_program(const std::string &path) {
    std::error_code failed;
    if (!fs::exists(path, failed)) return mog::Error{fmt::format("there is no file {}", path)};
    if (fs::is_directory(path, failed)) return mog::Error{fmt::format("{} is a directory, not a program", path)};
    if (!fs::is_regular_file(path, failed)) return mog::Error{fmt::format("{} is a pipe or a device, not a program", path)};
    return mog::load_image(path);
}

/// An option that does not exist, with the one that was probably meant.
int unknown_option(const mog::CommandLine &line, const std::string &option) {
    std::string name = option.substr(0, option.find('='));
    const std::vector<std::string> known = line.long_names();
    std::string_view nearest = mog::nearest_word(name, std::vector<std::string_view>(known.begin(), known.end()));
    complain(
        fmt::format("there is no option {}{}; see mogrun --help", name, nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
    return BadUsage;
}

/// The first of mogrun's own options that is written as "--name=" with nothing behind; CLI11 would take the next word.
std::string option_without_value(const mog::CommandLine &line, std::span<const std::string> words) {
    for (std::size_t i = 1; i < words.size(); i++) {
        std::string word = words[i];
        if (word.size() < 2 || word[0] != '-' || word == "--") break;
        if (word.starts_with("--") && word.back() == '=') {
            word.pop_back();
            if (line.values_of(word)) return word;
        }
        if (line.values_of(word).value_or(0) > 0) i++;  // its value
    }
    return {};
}

/// Whether this is called mogrun. The launcher of a program has the program's name.
bool is_called_mogrun(const char *name) {
    std::error_code failed;
    return fs::path(name).filename().string().starts_with("mogrun") ||
           fs::read_symlink(self, failed).filename().string().starts_with("mogrun");
}

/// What mpirun's options ask for, all but the number of PEs; the other words remain. Error: what is wrong.
mog::Result<mog::MpirunRequest> take_mpirun_options(const mog::CommandLine &line, std::span<char *const> words) {
    const auto own = [&](const std::string &word) -> std::optional<int> {
        const std::optional<int> values = word.size() == 1 ? std::nullopt : line.values_of(word);
        if (!values) return {};
        return *values > 0 ? 1 : 0;
    };
    mog::Result<mog::MpirunRequest> request = mog::take_mpirun_options({words.begin(), words.end()}, own);
    if (!request) return request;
    for (const std::string &warning : request->warnings) complain("warning: " + warning);
    for (const auto &[name, value] : request->environment)
        if (setenv(name.c_str(), value.c_str(), 1) != 0) return mog::Error{fmt::format("\"{}\" is no name of a variable", name)};
    if (!request->directory.empty() && chdir(request->directory.c_str()) != 0)
        return mog::Error{fmt::format("cannot begin in {}: {}", request->directory, std::strerror(errno))};
    return request;
}

/// As a shell would find it, and mpirun: a name without a slash that is no file here is looked for in PATH.
std::string find_program(const std::string &name) {
    std::error_code failed;
    if (name.find('/') != name.npos || fs::exists(name, failed)) return name;
    const std::string folders = mog::environment_variable("PATH");
    for (std::size_t at = 0; at <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        const fs::path path = fs::path(folders.substr(at, end - at)) / name;
        if (end > at && fs::is_regular_file(path, failed)) return path;
        at = end + 1;
    }
    return name;
}

/// What a run goes on from.
struct Checkpoint {
    std::unique_ptr<mog::mpi::Bridge> bridge;  ///< to other processes, if this is one of several
    std::unique_ptr<mog::CheckpointReader> reader;
    mog::CheckpointSettings settings;

    /// This process cannot go on: the status with which it ends. It is told, unless `text` is empty; others end, too.
    int give_up(const std::string &text, int status = BadInput) const {
        if (!text.empty()) complain(text);
        if (bridge) mog::end_world(*bridge, [](std::string_view) {}, {mog::RunFailure::Input, "", 0, {}, false, {}});
        return status;
    }
};
mog::Result<void> open_checkpoint(const std::string &path, Checkpoint &checkpoint) {
    std::error_code failed;
    const fs::path place = fs::absolute(path, failed);
    mog::Result<std::unique_ptr<mog::mpi::Bridge>> bridge = mog::mpi::Bridge::open();
    if (!bridge) return bridge.error();
    checkpoint.bridge = *std::move(bridge);
    mog::Result<std::unique_ptr<mog::CheckpointReader>> reader =
        checkpoint.bridge ? mog::open_world_checkpoint(place, *checkpoint.bridge) : mog::CheckpointReader::open(place);
    if (!reader) return reader.error();
    checkpoint.reader = *std::move(reader);
    mog::Result<mog::CheckpointSettings> settings = mog::read_settings(*checkpoint.reader, {});
    if (!settings) return settings.error();
    checkpoint.settings = *std::move(settings);
    // Its own is where the next ones go, unless another file is said.
    checkpoint.settings.options.checkpoint.file = place;
    return {};
}

/// mogrun --resume=FILE [PROGRAM]
int resume(const Checkpoint &checkpoint, const mog::Options &options, const std::vector<std::string> &rest) {
    const mog::CheckpointSettings &settings = checkpoint.settings;
    if (rest.size() > 1) {
        return checkpoint.give_up("a run that goes on has the arguments that it had; --resume takes no others", BadUsage);
    }
    std::error_code failed;
    const fs::path file = rest.empty() ? fs::path(settings.program) : fs::canonical(find_program(rest.front()), failed);
    mog::Result<mog::Image> image = load_program(failed ? rest.front() : file.string());
    if (!image) {
        return checkpoint.give_up(
            fmt::format("{}; --resume={} PROGRAM says where the program is", image.error().text(), options.checkpoint.resume));
    }
    // Where the program finds its files; on another machine the folder may not be there, and then this one is meant.
    if (chdir(settings.folder.c_str()) != 0)
        complain(fmt::format("{}, where the run began, cannot be entered ({}): it goes on here", settings.folder, std::strerror(errno)));
    const mog::Resumption resumption{*checkpoint.reader, settings, checkpoint.bridge.get()};
    return run({*image, file, settings.arguments, false, &resumption}, options);
}

/// mogrun --replay=FILE:RANK [PROGRAM]
int replay(const mog::Options &options, const std::vector<std::string> &rest) {
    if (rest.size() > 1) {
        complain("a PE that runs again has the arguments that it had; --replay takes no others");
        return BadUsage;
    }
    const std::string_view wanted = options.replay;
    std::error_code failed;
    std::string_view path = wanted;
    std::optional<std::uint32_t> rank;
    if (const std::size_t colon = wanted.rfind(':'); colon != wanted.npos && !fs::exists(wanted, failed)) {
        rank = mog::parse_number<std::uint32_t>(wanted.substr(colon + 1));
        if (rank) path = wanted.substr(0, colon);
    }
    // Of several processes of mpirun each has written one, FILE.0 and so on, of as many ranks each.
    std::string file_of_rank(path);
    if (!fs::exists(path, failed) && fs::exists(file_of_rank + ".0", failed)) {
        const mog::Result<std::shared_ptr<mog::Recording>> first = mog::Recording::open(file_of_rank + ".0");
        const std::uint32_t each = first ? (*first)->head().nproc : 1;
        file_of_rank += fmt::format(".{}", rank && *rank < (first ? (*first)->head().world : 1) ? *rank / each : 0);
    }
    const mog::Result<std::shared_ptr<mog::Recording>> recording = mog::Recording::open(file_of_rank);
    if (!recording) {
        complain(recording.error().text());
        return BadInput;
    }
    const mog::RecordingHead &head = (*recording)->head();
    const std::uint32_t chosen = rank.value_or(head.world == 1 ? 0 : head.world);
    if (chosen < head.first_rank || chosen - head.first_rank >= head.nproc) {
        complain(fmt::format("--replay={}: which PE? The recording has {}: --replay={}:RANK", wanted,
                             head.world == 1 ? "PE 0 only" : fmt::format("PEs 0 to {}", head.world - 1), path));
        return BadUsage;
    }
    (*recording)->choose(chosen - head.first_rank);
    const fs::path file = rest.empty() ? fs::path(head.program) : fs::canonical(find_program(rest.front()), failed);
    const mog::Result<mog::Image> image = load_program(file.empty() ? rest.front() : file.string());
    if (!image) {
        complain(fmt::format("{}; --replay={} PROGRAM says where the program is", image.error().text(), wanted));
        return BadInput;
    }
    return run({*image, file, head.arguments, false, nullptr, *recording}, options);
}

/// Standard streams that were closed when this began are the null device, so that nothing opened later takes their numbers: a PE's
/// descriptor 0 would be that. Opened the wrong way round, for reading from them and writing to them to fail as before (EBADF).
void fill_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) == -1 && errno == EBADF)
            if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) _exit(DeviceFailure);
}

int run_main(int argc, char **argv) {
    if (mog::has_image(self)) return run_self(argc, argv);
    if (argc > 0 && !is_called_mogrun(argv[0])) {
        tool_name = fs::path(argv[0]).filename().string();
        complain("this program file is damaged: the MOG program that belongs in it is not there; copy or compile it again");
        return BadInput;
    }

    if (std::error_code failed; argc > 1 && std::string_view(argv[1]) == "top" && !fs::exists("top", failed)) {
        const std::vector<std::string> words(argv + 2, argv + argc);
        return mog::run_top(words, complain);
    }
    mog::CommandLine line("Runs a program made by mogcc on many processing elements (PEs) at once.", "mogrun");
    line.usage("Usage: mogrun [OPTIONS] PROGRAM [ARGUMENTS]\n");  // where the options of mogrun end
    line.help_column(26);
    line.ends_at_first_word();
    const std::span<const mog::Setting> settings = mog::settings();
    std::vector<std::string> values(settings.size());
    std::vector<mog::CommandLine::Option> given;
    for (std::size_t i = 0; i < settings.size(); i++) {
        const mog::Setting &setting = settings[i];
        std::string help(setting.help);
        if (!setting.variable.empty()) help += fmt::format(" [{}]", setting.variable);
        mog::CommandLine::Option option =
            setting.value_optional ? line.flag(setting.option, values[i], help) : line.option(setting.option, values[i], help);
        option.last_counts();
        if (!setting.value_optional) option.value(setting.value);
        given.push_back(option);
    }
    bool list = false, list_calls = false, calibrates = false;
    line.flag("--list-devices", list, "Show what can be named to --device");
    line.flag("--calibrate", calibrates, "Measure what instructions cost on the device, for mogcc --costs=FILE");
    line.flag("--list-system-calls", list_calls, "Show the system calls that PEs can make, as Markdown");
    line.version("mogrun " MOG_VERSION);
    line.footer(mog::mpirun_help() +
                "By the names mogmpirun and mogmpiexec it starts as many PEs as the machine has processors, unless told.\n\n"
                "mogrun top [PROCESS] [--interval SECONDS] [--once] shows what the PEs of a run do now; so do\nSIGUSR1, and Ctrl-C once. "
                "The second one ends it.\n\n"
                "A variable in brackets does the same, also for ./prog alone. The status is 0 only if every PE's is.\n\n"
                "Examples:\n"
                "  mogrun -n 4096 ./nqueens 12\n"
                "  mogrun -n 8 --tag-output --device=host ./hello");
    auto no_value = [](std::string_view option) {
        complain(fmt::format("{} has no value; see mogrun --help", option));
        return BadUsage;
    };
    mog::Result<mog::MpirunRequest> request = take_mpirun_options(line, {argv, argv + argc});
    if (!request) {
        complain(request.error().text());
        return BadUsage;
    }
    std::vector<std::string> words = std::move(request->words);
    if (std::string option = option_without_value(line, words); !option.empty()) return no_value(option);
    words.erase(words.begin());
    const mog::CommandLine::Parsed parsed = line.parse(std::move(words));
    using Is = mog::CommandLine::Parsed::Is;
    if (parsed.is == Is::Shown) return show(parsed.text);
    if (parsed.is == Is::WithoutValue) return no_value(std::string_view(parsed.text).substr(0, parsed.text.find(':')));
    if (parsed.is == Is::Wrong) {
        complain(fmt::format("{}; see mogrun --help", parsed.text));
        return BadUsage;
    }
    mog::Options options;
    std::optional<Checkpoint> checkpoint;
    for (std::size_t i = 0; i < settings.size(); i++) {
        if (given[i].name() != "--resume" || !given[i].is_given()) continue;
        checkpoint.emplace();
        if (mog::Result<void> opened = open_checkpoint(values[i], *checkpoint); !opened) return checkpoint->give_up(opened.error().text());
        options = checkpoint->settings.options;
    }
    const auto wrong_usage = [&](const std::string &text) {
        if (checkpoint) return checkpoint->give_up(text, BadUsage);
        complain(text);
        return static_cast<int>(BadUsage);
    };
    if (mog::Result<void> read = mog::read_environment(options); !read) return wrong_usage(read.error().text());
    for (std::size_t i = 0; i < settings.size(); i++) {
        if (!given[i].is_given()) continue;
        if (mog::Result<void> read = settings[i].read(options, values[i]); !read)
            return wrong_usage(fmt::format("{}: {}", given[i].name(), read.error().message));
    }
    if (list_calls) return show(mog::syscalls_manual());
    std::vector<std::string> rest = line.left_over();
    if (!rest.empty() && rest.front() == "--") rest.erase(rest.begin());
    else if (!rest.empty() && rest.front().size() > 1 && rest.front()[0] == '-') return unknown_option(line, rest.front());
    if (calibrates) {
        if (rest.empty()) return calibrate(options);
        complain("--calibrate runs no program; see mogrun --help");
        return BadUsage;
    }
    if (checkpoint && !options.replay.empty()) {
        complain("--replay and --resume are for runs of their own");
        return BadUsage;
    }
    if (checkpoint) return resume(*checkpoint, options, rest);
    if (!options.replay.empty()) return replay(options, rest);
    if (rest.empty()) {
        if (list) return list_devices(nullptr);
        complain("which program? Usage: mogrun [OPTIONS] PROGRAM [ARGUMENTS]; see mogrun --help");
        return BadUsage;
    }
    if (mog::is_mpirun(argv[0]) && std::ranges::find(rest, ":") != rest.end()) {
        complain("`:` would begin another program, and all PEs of a run have one; let it do different things by rank");
        return BadUsage;
    }
    if (options.nproc == 0 && request->slots) options.nproc = *request->slots;
    // As many as mpirun starts; to fill a device is what mogrun is for.
    if (options.nproc == 0 && mog::is_mpirun(argv[0])) options.nproc = std::max(1u, std::thread::hardware_concurrency());
    std::error_code failed;
    const fs::path file = fs::canonical(find_program(rest.front()), failed);
    mog::Result<mog::Image> image = load_program(find_program(rest.front()));
    if (!image) {
        complain(image.error().text());
        return BadInput;
    }
    if (list) return list_devices(&*image);
    return run({*image, file, rest, true}, options);
}

}  // namespace

int main(int argc, char **argv) {
    fill_standard_streams();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further (ulimit -f) is EFBIG to whoever writes it
    // What the system refuses somewhere far below ends here, with a sentence and a status, not in std::terminate().
    constexpr std::string_view no_memory =
        "the system gives no more memory; have fewer PEs (-n or MOG_NPROC) or less memory for each (--mem or MOG_MEM)";
    try {
        return run_main(argc, argv);
    } catch (const std::bad_alloc &) {
        complain(no_memory);
    } catch (const std::length_error &) {  // more than any memory could hold
        complain(no_memory);
    } catch (const std::system_error &e) {
        complain(fmt::format("the system refuses what the run needs: {}", e.what()));
    } catch (const std::exception &e) {
        complain(fmt::format("this is a mistake of MOG: {}", e.what()));
    }
    return DeviceFailure;
}
