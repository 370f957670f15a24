// emulated_device.hpp: what the parts of the emulation share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tests/cuda/emulation.h"

namespace mog_emulation {

/* Memory with an inaccessible page on either side; it ends, to within 16 bytes, where the second begins. Null if there is none. */
class GuardedMemory {
public:
    explicit GuardedMemory(std::size_t bytes);
    ~GuardedMemory();
    GuardedMemory(const GuardedMemory &) = delete;
    GuardedMemory &operator=(const GuardedMemory &) = delete;
    std::byte *begin() const { return begin_; }
    std::byte *end() const { return begin_ + size_; }
    std::size_t size() const { return size_; }

private:
    std::byte *begin_ = nullptr;
    std::size_t size_;
    std::span<std::byte> pages_;
};

/* Kernel and parameters, these with the values that they had when the launch was asked for. */
struct Launch {
    std::string name;
    const MogKernel *kernel;
    MogIndex grid, block;
    unsigned shared;
    std::vector<std::vector<std::byte>> values;
};

/* On a few threads; the threads of a block are fibers. */
void run_launch(const Launch &launch);

/* What modules get. */
extern const MogEmulation for_kernels;

/* What a test asks for in the environment variable MOG_EMULATED_CUDA,
 * `devices=2,memory=64M,driver=11000,lost_after=3,capability=75,archs=80,compile=fail`:
 * any of these, in any order. */
struct Faults {
    int devices = 1;
    std::size_t memory = std::size_t{1} << 30;
    int driver = 13000;
    /* This many launches are accepted; the last of them does nothing, and every call after it fails. */
    std::size_t lost_after = std::numeric_limits<std::size_t>::max();
    int capability = 90;
    int archs = 90;  // the highest that NVRTC knows
    bool compile_fails = false;
};

/* As the variable is now; what it does not know ends the process. */
Faults read_faults();

/* How what NVRTC made begins. A shared object follows. */
struct ImageHeader {
    char magic[8];  // one of these two, without their zero
    std::uint32_t arch;
    std::uint32_t nvrtc;
    std::uint64_t bytes;
};
inline constexpr char cubin_magic[] = "EMUCUBIN";
inline constexpr char ptx_magic[] = "EMU-PTX-";

/* A test's finding: said on standard error, and the process ends. */
[[noreturn]] void give_up(const std::string &sentence);

}  // namespace mog_emulation
