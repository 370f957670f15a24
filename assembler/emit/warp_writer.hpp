// warp_writer.hpp: compiled blocks of a warp on a GPU, whose lanes meet again where convergence.hpp says, in the words of form_warp.h.
#pragma once

#include "assembler/blocks/convergence.hpp"
#include "assembler/emit/thread_writer.hpp"

namespace mog {

class WarpWriter : public ThreadWriter {
public:
    WarpWriter(const Image &image, const BlockPlan &plan, std::uint32_t number);

protected:
    void dispatch() override;
    bool labelled(std::uint32_t b) const override;
    void after_label(std::uint32_t b) override;
    std::string way_in(std::size_t entry) const override;
    std::string lead(std::size_t entry) const override;

private:
    std::size_t number_of_entry(std::uint32_t at) const;
    std::string landing(std::uint32_t b) const;
    void say_cold(const std::string &label);

    Convergence convergence_;
    std::string cold_;  ///< where lanes go that stop in the block at hand
};

}  // namespace mog
