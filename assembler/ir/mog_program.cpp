// mog_program.cpp: what little a program can do by itself.
#include "assembler/ir/mog_program.hpp"

namespace mog {

const char *role_name(Role role) {
    static constexpr const char *names[role_count] = {"sp", "ra", "v0", "v1", "a0", "a1", "a2", "a3"};
    return names[static_cast<std::size_t>(role)];
}

// By hand, since a program with streams has 30,000 of them, each time that it starts.
std::string label_of_address(std::uint32_t address) {
    std::string label = "L_";
    char digits[8];
    int count = 0;
    for (std::uint32_t left = address; left != 0 || count == 0; left >>= 4) digits[count++] = "0123456789abcdef"[left & 15u];
    while (count != 0) label += digits[--count];
    return label;
}

BlockPositions::BlockPositions(const std::vector<Block> &blocks) {
    positions_.reserve(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].id >= positions_.size()) positions_.resize(blocks[i].id + std::size_t{1}, none);
        std::uint32_t &position = positions_[blocks[i].id];
        if (position != none) continue;
        position = static_cast<std::uint32_t>(i);
        ++size_;
    }
}

BlockPositions MogProgram::positions() const { return BlockPositions(blocks); }

}  // namespace mog
