// check.cpp: what a program left behind, and types that do not fit: --mpi-check, which says where it was, too.
//
// The place of a call costs a look at its PE's stack, so it is asked for where that may be of use: of what is not done
// when its call returns.
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "runtime_host/mpi/call_names.hpp"
#include "runtime_host/mpi/combine.hpp"
#include "runtime_host/mpi/engine.hpp"
#include "runtime_pe/include/mpi.h"

namespace mog::mpi {

using Kind = Operation::Kind;

namespace {

constexpr u32 most_sayings = 10;

/// ", in main at t.c:7"
std::string and_place(const std::string &place) {
    return place.empty() ? "" : ", " + place;
}

bool says_nothing(u32 type) {
    return type == 0 || type == (MPI_BYTE & 0xff) || type == (MPI_PACKED & 0xff);
}

}  // namespace

void Messages::note_place(u32 i) {
    if (checks_) places_[i] = host_.place_of(table_[i].pe);
}

/// A message and its receive, both of them about to be done. What was not noted stands in its call.
void Messages::check_types(u32 m, u32 r) {
    const Operation &message = table_[m], &receive = table_[r];
    if (says_nothing(message.type) || says_nothing(receive.type) || said_ >= most_sayings) return;
    said_++;
    const auto place = [&](u32 i) {
        const bool stands_there =
            table_[i].has(Operation::blocking | Operation::unanswered) && !table_[i].has(Operation::detached);
        return and_place(stands_there ? host_.place_of(table_[i].pe) : places_[i]);
    };
    const World &world = communicators_.world();
    host_.say(fmt::format("MPI: PE {} receives as {} what PE {} sends as {}: {}, {}; the receive{}; the send{}",
                          world.rank_of(receive.pe), name_of_type(receive.type), sender_of(message), name_of_type(message.type),
                          name_of_tag(message.tag), name_of_communicator(message.context, communicators_), place(r),
                          place(m)));
}

std::vector<std::string> Messages::leftovers() const {
    struct Left {
        u32 count = 0;
        const Operation *first = nullptr;
    };
    std::map<std::pair<bool, std::string>, Left> kinds;  // by whether it is a receive, and place
    for (u32 i = 0; i < table_.count(); i++) {
        const Operation &o = table_[i];
        // What a PE waited for when it ended otherwise has been told.
        if (o.has(Operation::blocking) && !o.has(Operation::detached)) continue;
        if (o.kind == Kind::Free || o.kind == Kind::Collective || o.kind == Kind::Probe) continue;
        // Of an announced message its sender tells.
        if (o.has(Operation::remote) && o.has(Operation::detached) && !arrivals_[o.payload].is_eager) continue;
        const auto place = places_.find(i);
        Left &left = kinds[{o.kind == Kind::Receive || o.kind == Kind::Arriving, place == places_.end() ? "" : place->second}];
        if (left.count++ == 0 || o.pe < left.first->pe) left.first = &o;
    }
    std::vector<std::string> all;
    for (const auto &[kind, left] : kinds) {
        const auto &[is_receive, place] = kind;
        const Operation &o = *left.first;
        const std::string_view what =
            is_receive ? left.count == 1 ? "receive was begun and never done" : "receives were begun and never done"
            : left.count == 1 ? "message was never received"
                              : "messages were never received";
        const std::string which =
            is_receive ? fmt::format("of PE {}", communicators_.world().rank_of(o.pe))
                       : fmt::format("from PE {} to PE {}", sender_of(o), receiver_of(o));
        all.push_back(fmt::format("MPI: {} {}; {}{}, {}, {}{}", left.count, what, left.count == 1 ? "" : "the first ",
                                  which, name_of_tag(o.tag), name_of_communicator(o.context, communicators_),
                                  and_place(place)));
    }
    return all;
}

std::vector<std::string> Engine::leftovers() const {
    std::vector<std::string> all = messages_.leftovers();
    std::map<std::pair<bool, std::string>, u32> left;  // by whether it is a window's, and place
    for (u32 context = MOG_MPI_SELF + 1; context < communicators_.count(); context++)
        if (communicators_[context].left != 0) left[{windows_.is_window(context), communicators_[context].place}]++;
    for (const auto &[kind, count] : left) {
        const auto &[is_window, place] = kind;
        all.push_back(fmt::format("MPI: {} {}{} never freed{}{}", count, is_window ? "window" : "communicator", count == 1 ? " was" : "s were",
                                  place.empty() ? "" : ", made", place.empty() ? "" : " " + place));
    }
    if (!all.empty() && !checks_) all.push_back("MPI: --mpi-check says where these come from");
    return all;
}

}  // namespace mog::mpi
