// leak_report.hpp: what a program left behind at its end, as it is told: by kind and place. Of several processes process 0 tells of all.
#pragma once

#include <string>
#include <vector>

#include "runtime_host/mpi/transport/frames.hpp"

namespace mog::mpi {

/// Of one kind, from one place.
struct Leak {
    enum Kind : u32 { Message, Receive, Communicator, Window, Type };
    Kind kind;
    u32 count;
    u32 rank;           ///< of the world: the lowest that has left something
    GlobalContext id;   ///< of a communicator with members in several processes, each of which may have it
    std::string place;  ///< "in main at t.c:7"; empty: it is not known
    std::string which;  ///< which one it is, of the lowest rank
};

void append(std::vector<u8> &out, const Leak &left);
Leak take_leftover(FrameReader &reader);

/// A sentence for each kind and place.
std::vector<std::string> sentences_about(std::vector<Leak> all);

}  // namespace mog::mpi
