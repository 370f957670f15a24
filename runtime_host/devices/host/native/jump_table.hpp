// jump_table.hpp: where code of the program is as native code, by its address; for returns, and calls through pointers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mog {

/// A pointer for each word of the program's code. Where the processor finds bad addresses (address_faults.hpp) it lies in a range of the
/// process's addresses that has a place for every 32-bit address, two bytes for each, and no page but for the code's: a jump by it asks
/// nothing, for the address of no code faults, and so does one that is no multiple of four, being read where no pointer is aligned.
class JumpTable {
public:
    /// Of `words` words from the address `base` on. `whole`: for every address, if the system gives that many.
    JumpTable(std::uint32_t base, std::size_t words, bool whole);
    ~JumpTable();
    JumpTable(const JumpTable &) = delete;
    JumpTable &operator=(const JumpTable &) = delete;

    /// By word of the code.
    std::span<const void *> words() const { return words_; }
    /// All of them, and what else is on pages that have some: for addresses of no code.
    std::span<const void *> all() const { return all_; }
    /// Where the pointer for address 0 would be; null: only words() are there.
    const void *for_addresses() const { return range_; }

private:
    std::vector<const void *> own_;
    void *range_ = nullptr;
    std::span<const void *> words_, all_;
};

}  // namespace mog
