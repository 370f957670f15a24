// remembered_engine.cpp: a word in the folder of the kernel cache.
#include "runtime_host/remembered_engine.hpp"

#include <fmt/format.h>

#include "assembler/block_plan.hpp"
#include "runtime_host/kernel_cache.hpp"
#include "support/simd.hpp"

namespace mog {

RememberedEngine::RememberedEngine(const Image &image, const DeviceInfo &device, const LoadConfig &config)
    : key_(run_cache_key("engine of the host", image,
                         fmt::format("{}\n{}\n{}", device.description, device.driver, name_of(simd_of(image))), config)) {}

std::optional<HostEngine> RememberedEngine::find() const {
    const auto bytes = kernel_cache_load(key_);
    if (!bytes) return {};
    const std::string_view word(reinterpret_cast<const char *>(bytes->data()), bytes->size());
    if (word == name_of(HostEngine::blocks)) return HostEngine::blocks;
    if (word == name_of(HostEngine::lanes)) return HostEngine::lanes;
    return {};
}

void RememberedEngine::learn(HostEngine engine) const {
    if (find() == engine) return;
    const std::string_view word = name_of(engine);
    kernel_cache_store(key_, {reinterpret_cast<const std::uint8_t *>(word.data()), word.size()}, "");
}

}  // namespace mog
