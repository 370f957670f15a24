// cuda_compiler.cpp: finds nvcc, asks it what it knows, and runs it once for each target.
#include "support/compilers/cuda_compiler.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/environment.hpp"
#include "support/files/files.hpp"
#include "support/files/temporary.hpp"
#include "support/text.hpp"

namespace mog {
namespace {

/// The oldest that `all` stands for: CUDA 13 knows none before it.
constexpr int oldest_of_all = 75;

std::string names_of(std::span<const CudaTarget> targets) {
    std::vector<std::string> names;
    for (const CudaTarget &target : targets) names.push_back(target.name());
    return fmt::format("{}", fmt::join(names, ", "));
}

Command compile_target(const CudaCodeBuild &build, const CudaTarget &target, const std::string &source, const std::string &result) {
    Command command = build.nvcc;
    command.insert(command.end(),
                   {target.machine ? "-cubin" : "-ptx", "-arch=" + target.name(), "-std=c++17", "--fmad=false", "-O3", "-w"});
    for (const std::string &word : split_words(build.definitions)) command.push_back(word);
    command.insert(command.end(), {"-x", "cu", source, "-o", result});
    return command;
}

std::string file_of(const CudaTarget &target) { return fmt::format("program.{}.{}", target.name(), target.machine ? "cubin" : "ptx"); }

}  // namespace

std::string CudaTarget::name() const { return fmt::format("{}_{}", machine ? "sm" : "compute", number); }

Result<CudaTarget> read_cuda_target(std::string_view name) {
    CudaTarget target;
    target.machine = name.starts_with("sm_");
    const std::string_view digits = name.substr(std::min(name.size(), name.find('_') + 1));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), target.number);
    if (error != std::errc() || end != digits.data() + digits.size() || target.name() != name)
        return Error{fmt::format("{} is no architecture such as sm_90, nor PTX such as compute_90", name)};
    return target;
}

Result<Command> find_nvcc() {
    if (Command named = split_words(environment_variable("MOG_NVCC")); !named.empty()) {
        if (program_exists(named.front())) return named;
        return Error{fmt::format("{} is not here, which $MOG_NVCC names as nvcc", named.front())};
    }
    std::vector<std::string> places = {"nvcc"};
    for (const std::string &folder : cuda_toolkit_folders()) places.push_back(folder + "/bin/nvcc");
    for (const std::string &place : places)
        if (program_exists(place)) return Command{place};
    return Error{
        fmt::format("machine code for NVIDIA's GPUs needs nvcc of the CUDA Toolkit, and there is no {}; install it (Debian: "
                    "nvidia-cuda-toolkit), or name it in MOG_NVCC. Without --device=cuda the program runs on such GPUs too: NVRTC "
                    "compiles it there when it first runs",
                    fmt::join(places, ", no "))};
}

Result<std::vector<CudaTarget>> known_cuda_targets(const Command &nvcc) {
    std::vector<CudaTarget> known;
    for (const char *question : {"--list-gpu-code", "--list-gpu-arch"}) {
        Command command = nvcc;
        command.emplace_back(question);
        const Result<std::string> answer = capture_command(command);
        if (!answer) return answer.error();
        for (const std::string_view line : split_lines(*answer))
            if (const Result<CudaTarget> target = read_cuda_target(trim(line))) known.push_back(*target);
    }
    std::ranges::sort(known);
    if (known.empty()) return Error{fmt::format("{} names no architecture that it compiles for", nvcc.front())};
    return known;
}

Result<std::vector<CudaTarget>> choose_cuda_targets(std::string_view list, std::span<const CudaTarget> known) {
    std::vector<CudaTarget> chosen;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const std::string_view word = list.substr(at, end - at);
        at = end + 1;
        if (word == "all" || word == "all-major") {
            int generation = 0;
            CudaTarget last{false, 0};
            for (const CudaTarget &target : known) {
                if (target.number < oldest_of_all) continue;
                if (!target.machine) last.number = std::max(last.number, target.number);
                else if (word == "all" || target.number / 10 != generation) chosen.push_back(target);
                if (target.machine) generation = target.number / 10;
            }
            if (last.number != 0) chosen.push_back(last);
            continue;
        }
        const Result<CudaTarget> target = read_cuda_target(word);
        if (!target || std::ranges::find(known, *target) == known.end())
            return Error{fmt::format("--cuda-arch: there is no \"{}\"; nvcc here knows {}, and all and all-major", word, names_of(known))};
        chosen.push_back(*target);
    }
    std::ranges::sort(chosen);
    chosen.erase(std::ranges::unique(chosen).begin(), chosen.end());
    return chosen;
}

void show_cuda_build(const CudaCodeBuild &build) {
    for (const CudaTarget &target : build.targets) build.show(compile_target(build, target, "program.cuda", file_of(target)));
}

Result<std::vector<std::vector<std::uint8_t>>> build_cuda_code(const CudaCodeBuild &build, std::span<const std::uint8_t> text) {
    const auto source = temporary_file("program.cuda");
    if (!source) return source.error();
    MOG_TRY(write_file(*source, text));
    std::vector<Command> commands;
    std::vector<std::string> results;
    for (const CudaTarget &target : build.targets) {
        const auto result = temporary_file(file_of(target));
        if (!result) return result.error();
        results.push_back(*result);
        commands.push_back(compile_target(build, target, *source, *result));
        build.show(commands.back());
    }
    const Result<int> status = run_commands(commands);
    if (!status) return status.error();
    if (*status != 0) return Error{fmt::format("{} could not compile the program's CUDA source (status {})", build.nvcc.front(), *status)};
    std::vector<std::vector<std::uint8_t>> made;
    for (std::size_t i = 0; i < results.size(); i++) {
        auto bytes = read_file(results[i]);
        if (!bytes) return bytes.error();
        if (!build.targets[i].machine) bytes->push_back(0);
        made.push_back(*std::move(bytes));
    }
    return made;
}

}  // namespace mog
