// remembered_engine.hpp: which of the host's engines was faster in the last run of a program, so that the next one begins with it. A run
// that ends soon spends much of its time until the first trial is over. And whether that run ended before its code for lanes was compiled,
// so that the next one does not have that begun in vain as well.
#pragma once

#include <optional>
#include <string>

#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/host/engine_choice.hpp"

namespace mog {

class RememberedEngine {
public:
    /// Of an image on this device, with lanes for that instruction set, by as many PEs (to a power of 2), loaded in this way.
    RememberedEngine(const Image &image, const DeviceInfo &device, std::string_view simd, const LoadConfig &config);

    /// Nothing: none is known.
    std::optional<EngineVerdict> find() const;
    void learn(const EngineVerdict &verdict) const;

    UnfinishedLanes unfinished() const;
    void learn(const UnfinishedLanes &unfinished) const;

private:
    std::string key_, unfinished_key_;
};

}  // namespace mog
