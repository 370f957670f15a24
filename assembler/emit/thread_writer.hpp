// thread_writer.hpp: compiled blocks of a PE that goes through the code by itself, in the words of form_thread.h.
#pragma once

#include "assembler/emit/form_writer.hpp"

namespace mog {

class ThreadWriter : public FormWriter {
public:
    ThreadWriter(const Image &image, const BlockPlan &plan, std::uint32_t number) : FormWriter(image, plan, number, EnteredAt::entries) {}

protected:
    void dispatch() override;
    void begin_block(std::uint32_t b) override;
    Variables nans_before(std::uint32_t at) const override;
    Variables nans_after(std::uint32_t last) const override { return group_.nans->at_end(last); }
    void before_jump(std::uint32_t at, std::uint32_t b) override;
    std::string way(std::uint32_t at, std::uint32_t b) override;
    void end_cold() override;
    bool has_leave() const override { return leaves_; }

    /// Whether a block needs its label; what comes before its question; and how control comes in for an entry.
    virtual bool labelled(std::uint32_t b) const { return group_.targets.contains(group_.begin(b)); }
    virtual void after_label(std::uint32_t) {}
    virtual std::string way_in(std::size_t entry) const { return label(group_.plan.code.block_of[group_.entries[entry]]); }
    virtual std::string lead(std::size_t) const { return {}; }

    /// A jump through a register to one of these places.
    virtual void known_jump(const std::vector<CodeAddress> &targets, std::uint32_t b);

    std::string enter(std::uint32_t b) const;
};

}  // namespace mog
