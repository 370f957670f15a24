// compiler_speed.cpp: processor time of a compiler, which others that wait for the processor do not make longer as they do the clock's.
#include "support/compilers/compiler_speed.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "support/environment.hpp"
#include "support/files/cache.hpp"
#include "support/files/files.hpp"
#include "support/files/temporary.hpp"
#include "support/sizes.hpp"

namespace mog {
namespace {

/// What it took where g++ 12 compiled 3500 MOG instructions a second: in the mean over seven programs on a Xeon, in which both were
/// measured in turns, since what else goes on there makes either half as long again.
constexpr double seconds_there = 0.2;
constexpr int tries = 2;

/// Like blocks: switches, loops and integers.
std::string small_program() {
    constexpr int functions = 40;
    std::string text = "typedef unsigned u;\nstruct S { u a[8]; };\n", calls;
    for (int i = 0; i < functions; ++i) {
        text += fmt::format(
            "static u f{0}(S &s, u x) {{ u y = x * {1}u; for (u k = 0; k < 8u; k++) switch ((s.a[k] >> 3) % 7u) {{\n"
            "case 0: y += s.a[k]; break; case 1: y ^= s.a[(k + {0}u) % 8u] << 3; break; case 2: y = y * {2}u + k; break;\n"
            "case 3: s.a[k] = y; break; case 4: if (y > x) y -= x; else y += 7u; break;\n"
            "default: y = (y >> 5) | (y << 27); }} return y; }}\n",
            i, 2 * i + 3, i + 11);
        calls += fmt::format(" x += f{}(s, x);", i);
    }
    return text + "u all(S &s, u x) {" + calls + " return x; }\n";
}

double seconds_of_children() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval &time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The most of some tries: on machines that others use, too, what is promised must hold in bad moments.
Result<double> measured_seconds(const Command &compiler) {
    const auto source = temporary_file("speed.cpp"), object = temporary_file("speed.o");
    if (!source) return source.error();
    if (!object) return object.error();
    MOG_TRY(write_text_file(*source, small_program()));
    Command command = compiler;
    command.insert(command.end(), {"-w", "-O2", "-c", *source, "-o", *object});
    double most = 0;
    for (int i = 0; i < tries; ++i) {
        const double before = seconds_of_children();
        const Result<int> status = run_command(command);
        if (!status) return status.error();
        if (*status != 0) return Error{fmt::format("{} failed", compiler.front())};
        most = std::max(most, seconds_of_children() - before);
    }
    return most;
}

}  // namespace

Result<double> compiler_speed(const Command &compiler) {
    if (const std::string wished = environment_variable("MOG_COMPILER_SPEED"); !wished.empty()) {
        const auto speed = parse_number<double>(wished);
        if (speed && std::isfinite(*speed) && *speed > 0) return *speed;
        return Error{fmt::format("MOG_COMPILER_SPEED is '{}', and not a positive number", wished)};
    }
    // A newer compiler is another one.
    const Result<std::string> version = capture_command({compiler.front(), "--version"});
    if (!version) return 1.0;
    const std::string key = kernel_cache_key({"compiler speed", quote(compiler), *version, small_program()});
    double speed = 1;
    if (const auto kept = kernel_cache_load(key); kept && kept->size() == sizeof speed) {
        std::memcpy(&speed, kept->data(), sizeof speed);
        return speed;
    }
    const Result<double> seconds = measured_seconds(compiler);
    if (!seconds || *seconds <= 0) return 1.0;
    speed = seconds_there / *seconds;
    std::vector<std::uint8_t> bytes(sizeof speed);
    std::memcpy(bytes.data(), &speed, sizeof speed);
    kernel_cache_store(key, bytes, fmt::format("{}: {:.2f} s, {:.2f} times\n", quote(compiler), *seconds, speed));
    return speed;
}

}  // namespace mog
