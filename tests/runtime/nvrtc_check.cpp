// nvrtc_check.cpp: compiles a generated CUDA source by the real NVRTC, as runs do, without a device; and the parts of a program's kernel,
// which it leaves in a folder for who links them.
//
//     nvrtc_check SOURCE.cu PROGRAM FOLDER        exit status 77: there is no NVRTC here
//
// FOLDER/parts has those of the kernel that a run begins with, FOLDER/later those of one that is built later, of which own.cubin is the
// program's own.
#include <ctime>

#include <fmt/format.h>

#include "assembler/blocks/sampled_choice.hpp"
#include "assembler/emit/kernel_parts.hpp"
#include "assembler/image/image.hpp"
#include "runtime_host/devices/cuda/cuda_embedded.hpp"
#include "runtime_host/devices/cuda/cuda_info.hpp"
#include "support/files/files.hpp"

using namespace mog;

static Result<void> build_part(const NvrtcApi &nvrtc, const CudaPart &part, const std::string &path) {
    const std::clock_t begin = std::clock();
    const Result<CudaBuild> build = build_cuda_interpreter(nvrtc, 90, part.source, part.definitions, KernelCacheUse::Take, CudaCode::part);
    if (!build) return build.error();
    MOG_TRY(write_file(path, build->code));
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    fmt::print("{}: {} bytes, {:.2f} s of processor time{}\n", path, build->code.size(), seconds, build->cached ? ", was there" : "");
    return {};
}

static Result<void> build_parts(const NvrtcApi &nvrtc, const Result<KernelParts> &parts, std::string_view definitions,
                                const std::string &folder) {
    if (!parts) return parts.error();
    for (std::size_t i = 0; i < parts->shared.size(); ++i)
        MOG_TRY(build_part(nvrtc, {parts->shared[i], definitions}, fmt::format("{}/part{}.cubin", folder, i)));
    return build_part(nvrtc, {parts->own, definitions}, folder + "/own.cubin");
}

static Result<void> check_parts(const NvrtcApi &nvrtc, const char *program, const std::string &folder) {
    const Result<Image> image = load_image(program);
    if (!image) return image.error();
    const Result<std::string> definitions = usual_cuda_definitions(*image);
    if (!definitions) return definitions.error();
    const SampledChoice choice(*image, DriverCosts::cuda(), LibraryGroups::apart);
    const BlockPlan plan = choice.plan({}, choice.keep(kernel_compiled_places(*image)).blocks);
    const Result<KernelParts> parts = kernel_of_parts(*image, plan, RunSizes{});
    // The program has no messages to wait for, and nor does it wait for their code.
    if (parts && !parts->shared.front().starts_with("#define MOG_WITHOUT_MAILBOXES")) return Error{"the interpreter serves mailboxes"};
    MOG_TRY(build_parts(nvrtc, parts, *definitions, folder + "/parts"));
    return build_parts(nvrtc, kernel_with_libraries(*image, table_order(*image), plan, LibraryGroups::apart, RunSizes{}), *definitions,
                       folder + "/later");
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    const Result<const NvrtcApi *> nvrtc = nvrtc_api();
    if (!nvrtc) return fmt::print("skipped: {}\n", nvrtc.error().message), 77;
    const Result<std::string> source = read_text_file(arguments[1]);
    if (!source) return fmt::print("{}\n", source.error().text()), 1;
    // The newest that any NVRTC has no machine code for takes PTX.
    constexpr int newer_than_all = 990;
    constexpr std::pair<int, std::string_view> builds[] = {
        {75, " -DMOG_ENGINE_BLOCKS"}, {90, " -DMOG_ENGINE_SWITCH -DMOG_COUNT"}, {90, " -DMOG_ENGINE_BLOCKS"}, {newer_than_all, ""}};
    for (const auto &[capability, definitions] : builds) {
        const std::clock_t begin = std::clock();
        const Result<CudaBuild> build = build_cuda_interpreter(**nvrtc, capability, *source, definitions);
        if (!build) return fmt::print("sm_{}{}: {}\n", capability, definitions, build.error().message), 1;
        const std::string_view code(reinterpret_cast<const char *>(build->code.data()), build->code.size());
        const bool is_ptx = code.find(".entry mog_run") != code.npos, is_elf = code.starts_with("\177ELF");
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        fmt::print("sm_{}{}: {} bytes of {}, {:.2f} s of processor time\n", capability, definitions, code.size(),
                   is_ptx ? "PTX" : "machine code", seconds);
        if (build->cached || (capability == newer_than_all ? !is_ptx : !is_elf)) return fmt::print("not what was asked for\n"), 1;
    }
    const Result<void> outcome = check_parts(**nvrtc, arguments[2], arguments[3]);
    if (!outcome) fmt::print("{}\n", outcome.error().text());
    return outcome ? 0 : 1;
}
