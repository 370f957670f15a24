// lanes_writer.hpp: compiled blocks of several PEs at once, which part and meet at any block, in the words of form_lanes.h.
#pragma once

#include "assembler/emit/form_writer.hpp"

namespace mog {

class LanesWriter : public FormWriter {
public:
    LanesWriter(const Image &image, const BlockPlan &plan, std::uint32_t number) : FormWriter(image, plan, number, EnteredAt::any_block) {}

protected:
    void before_state() override;
    void dispatch() override;
    void begin_block(std::uint32_t b) override;
    Variables nans_before(std::uint32_t at) const override;
    Variables nans_after(std::uint32_t last) const override;
    std::string way(std::uint32_t at, std::uint32_t b) override;
    void end_cold() override;
    bool has_leave() const override { return true; }
};

}  // namespace mog
