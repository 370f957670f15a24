// collectives.hpp: operations of all members of a communicator: they are done when the last one has come.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "runtime_host/mpi/messages.hpp"

namespace mog::mpi {

class Collectives {
public:
    Collectives(Communicators &communicators, Delivery &delivery, Messages &messages)
        : communicators_(communicators), delivery_(delivery), messages_(messages) {}

    /// A PE has come.
    void join(const MpiCall &call);
    /// Does those to which all have come since.
    Result<void> end_round();

private:
    struct Part {
        u32 pe, operation;  ///< in the table of messages
        u32 words[8];
    };
    struct Instance {
        u32 context = 0, arrived = 0;
        std::vector<Part> parts;  ///< by rank
    };
    /// Of one communicator: instances in the order in which they were begun, and how many each member has joined.
    struct Queue {
        std::deque<Instance> begun;
        u32 ended = 0;
        std::vector<u32> joined;
    };
    Result<void> perform(Instance &instance);
    void finish(const Instance &instance, int error_class);

    Communicators &communicators_;
    Delivery &delivery_;
    Messages &messages_;
    std::vector<Queue> queues_;  ///< by context
    std::vector<Instance> ready_;
};

}  // namespace mog::mpi
