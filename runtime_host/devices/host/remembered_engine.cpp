// remembered_engine.cpp: "lanes 1.63", in the folder of the kernel cache.
#include "runtime_host/devices/host/remembered_engine.hpp"

#include <sstream>

#include <fmt/format.h>

#include "assembler/blocks/block_plan.hpp"
#include "runtime_host/device/kernel_cache.hpp"
#include "support/compilers/simd.hpp"

namespace mog {

RememberedEngine::RememberedEngine(const Image &image, const DeviceInfo &device, std::string_view simd, const LoadConfig &config)
    : key_(run_cache_key("engine of the host", image, fmt::format("{}\n{}\n{}", device.description, device.driver, simd), config)) {}

std::optional<EngineVerdict> RememberedEngine::find() const {
    const auto bytes = kernel_cache_load(key_);
    if (!bytes) return {};
    std::istringstream words(std::string(bytes->begin(), bytes->end()));
    std::string engine;
    EngineVerdict verdict;
    if (!(words >> engine >> verdict.times) || !(verdict.times >= 1)) return {};
    verdict.engine = engine == name_of(HostEngine::lanes) ? HostEngine::lanes : HostEngine::blocks;
    return engine == name_of(verdict.engine) ? std::optional(verdict) : std::nullopt;
}

void RememberedEngine::learn(const EngineVerdict &verdict) const {
    constexpr double other = 1.2;
    const std::optional<EngineVerdict> known = find();
    const double change = known ? known->times / verdict.times : 0;
    if (known && known->engine == verdict.engine && change < other && change > 1 / other) return;
    const std::string words = fmt::format("{} {:.2f}\n", name_of(verdict.engine), verdict.times);
    kernel_cache_store(key_, {reinterpret_cast<const std::uint8_t *>(words.data()), words.size()}, "");
}

}  // namespace mog
