// emulated_blocks.hpp: runs the blocks of a launch on a few threads, a block's threads as fibers.
#pragma once

#include <cstddef>
#include <cstdint>
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

void run_launch(const Launch &launch);

/* What modules get. */
extern const MogEmulation for_kernels;

/* A test's finding: said on standard error, and the process ends. */
[[noreturn]] void give_up(const std::string &sentence);

}  // namespace mog_emulation
