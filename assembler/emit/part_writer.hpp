// part_writer.hpp: a group of compiled blocks as a source of its own, the same for all programs that have the code: what differs between
// them is a symbol, to which the program's table (kernel_parts.hpp) gives a value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assembler/emit/warp_writer.hpp"

namespace mog {

/// A program in which registers have numbers by their names: any program's the same.
struct NamedRegisters {
    explicit NamedRegisters(const Image &image);
    Image image;                         ///< with those numbers
    std::vector<std::uint32_t> numbers;  ///< the program's own, by those
};

class PartWriter final : public WarpWriter {
public:
    /// All outlive it.
    PartWriter(const NamedRegisters &program, const BlockPlan &plan, std::uint32_t number);

    /// The symbols' values, in the order of their numbers, once it is written. The first is the TEXT index where the group begins.
    const std::vector<std::uint32_t> &symbols() const { return symbols_; }

protected:
    std::string place(std::uint32_t at) const override { return fmt::format("{}", at - symbols_.front()); }
    std::string elsewhere(std::uint32_t target) override { return symbol(Kind::place, target); }
    std::string constant(std::uint32_t value) override;
    std::string register_number(std::uint32_t r) override { return symbol(Kind::number, numbers_[r]); }
    bool knows_data() const override { return false; }
    std::string name() const override { return "MOG_PART"; }
    void known_jump(const std::vector<CodeAddress> &targets, std::uint32_t b) override;

private:
    enum class Kind : std::uint8_t { place, constant, number };
    std::string symbol(Kind kind, std::uint32_t value);

    const std::vector<std::uint32_t> &numbers_;
    std::vector<std::uint32_t> symbols_;
    std::map<std::pair<Kind, std::uint32_t>, std::size_t> found_;
};

}  // namespace mog
