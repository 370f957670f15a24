// lanes_writer.hpp: compiled blocks of several PEs at once, which part and meet at any block, in the words of form_lanes.h.
#pragma once

#include <map>

#include "assembler/blocks/guarded_regions.hpp"
#include "assembler/emit/form_writer.hpp"

namespace mog {

class LanesWriter : public FormWriter {
public:
    LanesWriter(const Image &image, const BlockPlan &plan, std::uint32_t number)
        : FormWriter(image, plan, number, EnteredAt::any_block), regions_(find_guarded_regions(group_, CopiesFor::lanes)) {}

    /// Loops that have a guarded copy.
    std::size_t regions() const { return regions_.size(); }

protected:
    void before_state() override;
    void dispatch() override;
    void begin_block(std::uint32_t b) override;
    void instruction(std::uint32_t at, std::uint32_t b) override;
    std::string value_of(std::uint32_t r) const override;
    void place_of(std::uint32_t r, Operands &operands) const override;
    std::string address(const OpInfo &row, std::uint32_t operand) const override;
    Variables nans_before(std::uint32_t at) const override;
    Variables nans_after(std::uint32_t last) const override;
    std::string way(std::uint32_t at, std::uint32_t b) override;
    void end_cold() override;
    bool has_leave() const override { return true; }

private:
    // The copies of regions (guarded_regions.hpp). A variable of which all lanes have the same is a scalar there, one5 instead of r5, and
    // r5 is old until the scalar is written to it: where lanes' values meet, and where the region is left.
    void region(std::size_t number);
    void guard(const GuardedRegion::Block &head);
    void guarded_block(const GuardedRegion::Block &block);
    void guarded_way_out(std::uint32_t b);
    bool is_confirmed(std::uint32_t at) const;
    bool is_scalar(std::uint32_t variable) const { return region_ != nullptr && !differs_[variable]; }
    /// Statements that write to the lanes' variables what is in scalars of `which`, if there is any.
    static std::string spread(const RegisterSet &which);
    RegisterSet to_write_back() const { return ~differs_ & region_->written; }
    /// The number of a place to stop or pause at, by what is to be done there.
    std::size_t stop(const std::string &what);
    std::string here_or_out(std::uint32_t target);
    std::string parting(std::uint32_t at, std::uint32_t target);
    std::string way_out(const std::string &what);

    const std::vector<GuardedRegion> regions_;
    const GuardedRegion *region_ = nullptr;  ///< whose copy is written
    /// Where control may come into copies, by block: numbers of guards, by region from outside to inside.
    std::map<std::uint32_t, std::map<std::size_t, std::size_t>> heads_;
    std::size_t number_ = 0;              ///< its, from 1
    RegisterSet differs_;                 ///< at the instruction at hand
    bool is_same_ = false;                ///< it is executed as a scalar
    bool comparing_ = false;              ///< it is written once more, for lanes, to compare with the scalar
    std::optional<std::uint32_t> joins_;  ///< it is executed by some of the lanes; where the others are
    std::map<std::string, std::size_t> stops_;
    std::map<std::string, std::size_t> outs_;  ///< of the region: ways out, and the numbers of their labels
};

}  // namespace mog
