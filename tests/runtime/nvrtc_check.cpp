// nvrtc_check.cpp: compiles a generated CUDA source by the real NVRTC, as runs do, without a device.
//
//     nvrtc_check SOURCE.cu        exit status 77: there is no NVRTC here
#include <chrono>

#include <fmt/format.h>

#include "runtime_host/devices/cuda/cuda_info.hpp"
#include "support/files/files.hpp"

int main(int count, char **arguments) {
    using namespace mog;
    if (count != 2) return 2;
    const Result<const NvrtcApi *> nvrtc = nvrtc_api();
    if (!nvrtc) return fmt::print("skipped: {}\n", nvrtc.error().message), 77;
    const Result<std::string> source = read_text_file(arguments[1]);
    if (!source) return fmt::print("{}\n", source.error().text()), 1;
    // The newest that any NVRTC has no machine code for takes PTX.
    constexpr int newer_than_all = 990;
    constexpr std::pair<int, std::string_view> builds[] = {{75, " -DMOG_ENGINE_BLOCKS"},
                                                           {90, ""},
                                                           {90, " -DMOG_ENGINE_SWITCH -DMOG_COUNT"},
                                                           {90, " -DMOG_ENGINE_BLOCKS"},
                                                           {newer_than_all, ""}};
    for (const auto &[capability, definitions] : builds) {
        const auto begin = std::chrono::steady_clock::now();
        const Result<CudaBuild> build = build_cuda_interpreter(**nvrtc, capability, *source, definitions);
        if (!build) return fmt::print("sm_{}{}: {}\n", capability, definitions, build.error().message), 1;
        const std::string_view code(reinterpret_cast<const char *>(build->code.data()), build->code.size());
        const bool is_ptx = code.find(".entry mog_run") != code.npos, is_elf = code.starts_with("\177ELF");
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        fmt::print("sm_{}{}: {} bytes of {}, {:.1f} s\n", capability, definitions, code.size(), is_ptx ? "PTX" : "machine code",
                   seconds.count());
        if (build->cached || (capability == newer_than_all ? !is_ptx : !is_elf)) return fmt::print("not what was asked for\n"), 1;
    }
    return 0;
}
