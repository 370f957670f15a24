// collectives.cpp: who has come, and what is done then.
#include "runtime_host/mpi/collectives.hpp"

#include <algorithm>
#include <utility>

#include "runtime_pe/include/mpi.h"

namespace mog::mpi {

namespace {

u32 failed(int error_class) { return static_cast<u32>(-error_class); }

}  // namespace

void Collectives::join(const MpiCall &call) {
    const u32 *w = call.words;
    const Communicator *c = communicators_.find(w[1], w[2], call.pe);
    int error = MPI_SUCCESS;
    if (!c) error = MPI_ERR_COMM;
    else if (w[7] == 0 ? call.has(MOG_MPI_NONBLOCKING) : w[7] % 4 != 0 || !delivery_.in_data(w[7], sizeof(mog_mpi_more))) error = MPI_ERR_ARG;
    if (error != MPI_SUCCESS) return delivery_.resume(call.pe, failed(error));

    const u32 operation = messages_.begin(call, Operation::Kind::Collective, call.has(MOG_MPI_NONBLOCKING) ? w[7] : 0);
    Part part{call.pe, operation, {}};
    std::copy_n(w, 8, part.words);
    const u32 context = w[1] & ~MOG_MPI_INTERNAL;
    if (c->size == 1) {
        ready_.push_back({context, 1, {part}});
    } else {
        if (queues_.size() <= context) queues_.resize(context + 1);
        Queue &queue = queues_[context];
        if (queue.joined.empty()) queue.joined.resize(c->size, queue.ended);
        const u32 number = queue.joined[w[2]]++ - queue.ended;
        if (number == queue.begun.size()) queue.begun.push_back({context, 0, std::vector<Part>(c->size)});
        Instance &instance = queue.begun[number];
        instance.parts[w[2]] = part;
        if (++instance.arrived == c->size) {
            // It is the first one, for all have joined those before.
            ready_.push_back(std::move(queue.begun.front()));
            queue.begun.pop_front();
            queue.ended++;
        }
    }
    if (call.has(MOG_MPI_NONBLOCKING)) delivery_.resume(call.pe, operation + 1);
}

Result<void> Collectives::end_round() {
    for (Instance &instance : ready_)
        if (Result<void> done = perform(instance); !done) return done;
    ready_.clear();
    return {};
}

void Collectives::finish(const Instance &instance, int error_class) {
    for (const Part &part : instance.parts)
        messages_.finish(part.operation, {MOG_MPI_DONE | static_cast<u32>(error_class) << 8, MPI_ANY_SOURCE, MPI_ANY_TAG, 0});
}

Result<void> Collectives::perform(Instance &instance) {
    finish(instance, MPI_SUCCESS);
    return {};
}

}  // namespace mog::mpi
