// served_code.hpp: native code that kernels of this process call, and calls of the system that it comes to, served in the midst of a
// launch.
#pragma once

#include <cstdint>
#include <functional>

#include "assembler/image/image.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/host/native/native_abi.hpp"

namespace mog {

/// Stands between kernels and native code: where that stops before a call of the system, the call is served at once if somebody does, and
/// the PE goes on in the same launch; else the interpreter ends the PE's slice with it. A PE that stays where it is finds what it works on
/// in the caches.
class ServedCode {
public:
    /// Whose memory it is, and where its registers stand between launches.
    struct Owner {
        std::uint32_t pe = 0;
        const std::uint32_t *rows = nullptr;  ///< the state's, of this PE
        std::size_t stride = 0;               ///< words from one row to the next
        std::uint32_t row(std::size_t n) const { return rows[n * stride]; }
    };
    using FindOwner = std::function<Owner(const std::uint32_t *memory)>;

    /// `native`'s code, the image and `serve`, which does not change while a launch runs, outlive it. `data_bytes`: of each PE.
    ServedCode(const Image &image, NativeHook native, std::uint32_t data_bytes, FindOwner find_owner, const Device::ServeAtOnce &serve);

    /// What kernels call.
    NativeHook hook() { return {&ServedCode::run, this}; }

private:
    static void run(void *code, MogBlocks *blocks, std::uint32_t *registers, std::uint32_t *memory);
    bool serves(MogBlocks &blocks, std::uint32_t *registers, const std::uint32_t *memory) const;

    const Image &image_;
    NativeHook native_;
    std::uint32_t data_bytes_;
    FindOwner find_owner_;
    const Device::ServeAtOnce &serve_;
};

}  // namespace mog
