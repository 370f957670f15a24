// remembered_engine.cpp: "lanes 1.63", and in a file of its own "1 0.84", in the folder of the kernel cache.
#include "runtime_host/devices/host/remembered_engine.hpp"

#include <sstream>

#include <fmt/format.h>

#include "assembler/blocks/block_plan.hpp"
#include "runtime_host/device/kernel_cache.hpp"
#include "support/compilers/simd.hpp"

namespace mog {

namespace {

std::optional<std::istringstream> words_of(const std::string &key) {
    const auto bytes = kernel_cache_load(key);
    return bytes ? std::optional(std::istringstream(std::string(bytes->begin(), bytes->end()))) : std::nullopt;
}

void store_words(const std::string &key, const std::string &words) {
    kernel_cache_store(key, {reinterpret_cast<const std::uint8_t *>(words.data()), words.size()}, "");
}

}  // namespace

RememberedEngine::RememberedEngine(const Image &image, const DeviceInfo &device, std::string_view simd, const LoadConfig &config)
    : key_(run_cache_key("engine of the host", image, fmt::format("{}\n{}\n{}", device.description, device.driver, simd), config)),
      unfinished_key_(kernel_cache_key({key_, "unfinished lanes"})) {}

std::optional<EngineVerdict> RememberedEngine::find() const {
    auto words = words_of(key_);
    std::string engine;
    EngineVerdict verdict;
    if (!words || !(*words >> engine >> verdict.times) || !(verdict.times >= 1)) return {};
    verdict.engine = engine == name_of(HostEngine::lanes) ? HostEngine::lanes : HostEngine::blocks;
    return engine == name_of(verdict.engine) ? std::optional(verdict) : std::nullopt;
}

void RememberedEngine::learn(const EngineVerdict &verdict) const {
    constexpr double other = 1.2;
    const std::optional<EngineVerdict> known = find();
    const double change = known ? known->times / verdict.times : 0;
    if (known && known->engine == verdict.engine && change < other && change > 1 / other) return;
    store_words(key_, fmt::format("{} {:.2f}\n", name_of(verdict.engine), verdict.times));
}

UnfinishedLanes RememberedEngine::unfinished() const {
    auto words = words_of(unfinished_key_);
    UnfinishedLanes unfinished;
    return words && *words >> unfinished.runs >> unfinished.seconds ? unfinished : UnfinishedLanes{};
}

void RememberedEngine::learn(const UnfinishedLanes &unfinished) const {
    store_words(unfinished_key_, fmt::format("{} {:.2f}\n", unfinished.runs, unfinished.seconds));
}

}  // namespace mog
