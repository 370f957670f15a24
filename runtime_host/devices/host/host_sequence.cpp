// host_sequence.cpp: the compiler is called once for a program.
#include "runtime_host/devices/host/host_sequence.hpp"

#include "runtime_host/device/arithmetic.hpp"
#include "runtime_host/device/kernel_cache.hpp"
#include "support/compilers/host_compiler.hpp"

namespace mog {

Result<HostSequence> host_sequence(const Image &image, const HostSequenceOptions &options) {
    if (!image.products.has(ProductKind::cpp))
        return Error{"--engine=sequence: the program has no source of its interpreter in it; use --device=reference or opencl"};
    const Result<Command> compiler = usable_host_compiler();
    if (!compiler) return compiler.error();
    HostLibrary library = host_sequence_library(options.count, options.fuel);
    const HostBuild build{*compiler, std::string(name_of(wished_doubles(image)))};
    std::string commands;
    HostBuild shown = build;
    shown.show = [&](const Command &command) {
        for (const std::string &word : command) commands += word + ' ';
    };
    show_host_build({library}, shown);
    const std::string key = kernel_cache_key({image.products.text(ProductKind::cpp), commands});
    if (auto bytes = kernel_cache_load(key)) return HostSequence{*std::move(bytes), true};
    auto built = build_host_libraries({library}, build, {image.products.bytes(ProductKind::cpp), {}});
    if (!built) return built.error();
    kernel_cache_store(key, built->front(), commands);
    return HostSequence{std::move(built->front()), false};
}

}  // namespace mog
