// host_sequence.cpp: the compiler is called once for a program.
#include "runtime_host/devices/host/host_sequence.hpp"

#include "runtime_host/device/arithmetic.hpp"
#include "runtime_host/device/kernel_cache.hpp"
#include "support/compilers/host_compiler.hpp"

namespace mog {

Result<HostSequence> host_sequence(const Image &image, const HostSequenceOptions &options) {
    const auto source = image.products.find("cpp");
    if (source == image.products.end())
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
    const std::string key = kernel_cache_key({{reinterpret_cast<const char *>(source->second.data()), source->second.size()}, commands});
    if (auto bytes = kernel_cache_load(key)) return HostSequence{*std::move(bytes), true};
    std::map<std::string, std::vector<std::uint8_t>> products{{"cpp", source->second}};
    if (auto built = build_host_libraries({library}, build, products); !built) return built.error();
    auto &bytes = products.at(library.product);
    kernel_cache_store(key, bytes, commands);
    return HostSequence{std::move(bytes), false};
}

}  // namespace mog
