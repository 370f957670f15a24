// warp_writer.hpp: compiled blocks of a warp on a GPU, whose lanes meet again where convergence.hpp says, in the words of form_warp.h.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "assembler/blocks/convergence.hpp"
#include "assembler/blocks/counted_loops.hpp"
#include "assembler/blocks/guarded_regions.hpp"
#include "assembler/emit/thread_writer.hpp"

namespace mog {

class WarpWriter : public ThreadWriter {
public:
    WarpWriter(const Image &image, const BlockPlan &plan, std::uint32_t number);

    /// Loops that have a guarded copy.
    std::size_t regions() const { return regions_.size(); }

protected:
    void dispatch() override;
    void begin_block(std::uint32_t b) override;
    std::string word_to(std::uint32_t b, std::uint32_t target) const override;
    std::string word_out(std::uint32_t b, std::uint32_t target) override;
    std::string word_anywhere(std::uint32_t b) const override;
    bool falls_through(std::uint32_t b) const override { return !first(b, b + 1); }
    void end_cold() override;
    bool labelled(std::uint32_t b) const override;
    void after_label(std::uint32_t b) override;
    std::string way_in(std::size_t entry) const override;
    std::string lead(std::size_t entry) const override;
    std::string window(const OpInfo &row, std::uint32_t at, Operands &operands) const override;
    void finish(std::string &text) const override;

private:
    std::size_t number_of(std::uint32_t b) const;
    std::string landing(Convergence::Place place) const;
    std::string label_of(Convergence::Place place) const;
    std::optional<std::string> first(std::uint32_t b, Convergence::Target to) const;
    void bottom(std::uint32_t head);
    void hub();
    std::string led_to(std::uint32_t b) const;
    std::string label_into(std::uint32_t b) const;
    void say_cold(const std::string &label);

    // Copies of loops for when all lanes of the warp come to them together and agree.
    const GuardedRegion *region_from(std::uint32_t head) const;
    void guard(const GuardedRegion &region);
    /// Whether control that comes to a block from outside of the loop that it begins comes by a question first.
    bool is_tried(std::uint32_t head) const { return region_from(head) != nullptr || counted_.contains(head); }
    bool is_outside(std::uint32_t b, std::uint32_t head) const;
    std::string try_label(std::uint32_t head) const { return "try" + place(group_.begin(head)); }

    // Rounds of loops that are counted before they begin.
    std::string sum(const CountedLoop::Sum &sum);
    std::string step(const CountedLoop::Step &step) const;
    std::string rounds(const CountedLoop &loop);
    void counted(const CountedLoop &loop);

    /// Beginnings of functions, and behind calls, to which control comes by the hub, if there is one.
    const std::set<std::uint32_t> by_hub_;
    Convergence convergence_;
    const std::vector<GuardedRegion> regions_;
    const GuardedRegion *region_ = nullptr;               ///< whose copy is written
    const std::map<std::uint32_t, CountedLoop> counted_;  ///< by block
    const CountedLoop *loop_ = nullptr;                   ///< whose counted rounds are written
    std::string cold_;                                    ///< where lanes go that stop in the block at hand
};

}  // namespace mog
