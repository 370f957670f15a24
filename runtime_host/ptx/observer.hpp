// observer.hpp: who looks on while a block runs: counts, checks.
#pragma once

#include <cstdint>

#include "runtime_host/ptx/block.hpp"

namespace mog::ptx {

/// One for each thread of this process that runs blocks.
class Observer {
public:
    explicit Observer(Launch &launch) : launch_(launch) {}
    virtual ~Observer() = default;
    virtual void begin_block(BlockRun &) {}
    /// Before an operation is done for the lanes of `mask`, which is not 0.
    virtual void before(BlockRun &block, const Warp &warp, const Group &group, const Op &op, std::uint32_t mask) = 0;
    /// Lanes part at a branch.
    virtual void parted() {}
    virtual void end_block(BlockRun &) {}
    /// Gives what it has to the launch.
    virtual void finish() {}

protected:
    Launch &launch_;
};

/// nullptr: the options want none.
std::unique_ptr<Observer> make_observer(Launch &launch);

}  // namespace mog::ptx
