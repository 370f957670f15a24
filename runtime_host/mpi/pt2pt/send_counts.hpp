// send_counts.hpp: what each PE has sent, for MPI_T.
#pragma once

#include "runtime_host/mpi/pt2pt/observer.hpp"

namespace mog::mpi {

/// Messages of programs, not those that libraries send for them.
class SendCounts : public Observer {
public:
    struct Sent {
        u64 messages = 0, bytes = 0;
        static void carry(auto &self, auto &archive) { archive(self.messages, self.bytes); }
    };
    explicit SendCounts(u32 nproc) : sent_(nproc) {}
    const Sent &of(u32 pe) const { return sent_[pe]; }

    static void carry(auto &self, auto &archive) { archive(self.sent_); }
    bool is_sound(u32 nproc) const { return sent_.size() == nproc; }

    void called(const MpiCall &, double) override {}
    void resumed(u32, double) override {}
    void sent(u32, const Operation &message) override {
        if ((message.context & MOG_MPI_INTERNAL) != 0) return;
        sent_[message.pe].messages++;
        sent_[message.pe].bytes += message.bytes;
    }
    void met(u32, const Operation &, const Operation &) override {}
    void cancelled(u32) override {}
    void ended(double) override {}

private:
    std::vector<Sent> sent_;
};

}  // namespace mog::mpi
