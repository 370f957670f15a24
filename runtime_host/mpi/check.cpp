// check.cpp: what a program left behind, and types that do not fit: --mpi-check, which says where it was, too.
//
// The place of a call costs a look at its PE's stack, so it is asked for where that may be of use: of what is not done
// when its call returns.
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/base/limits.hpp"
#include "runtime_host/mpi/coll/combine.hpp"
#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/mpi/tools/call_names.hpp"

namespace mog::mpi {

using Kind = Operation::Kind;

namespace {

/// ", in main at t.c:7"
std::string and_place(const std::string &place) { return place.empty() ? "" : ", " + place; }

bool says_nothing(u32 type) { return type == 0 || type == (MPI_BYTE & 0xff) || type == (MPI_PACKED & 0xff); }

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
        const bool stands_there = table_[i].has(Operation::blocking | Operation::unanswered) && !table_[i].has(Operation::detached);
        return and_place(stands_there ? host_.place_of(table_[i].pe) : places_[i]);
    };
    const World &world = communicators_.world();
    host_.say(fmt::format("MPI: PE {} receives as {} what PE {} sends as {}: {}, {}; the receive{}; the send{}", world.rank_of(receive.pe),
                          name_of_type(receive.type), sender_of(message), name_of_type(message.type), name_of_tag(message.tag),
                          name_of_communicator(message.context, communicators_), place(r), place(m)));
}

std::vector<Leak> Messages::leaks() const {
    const World &world = communicators_.world();
    std::map<std::pair<bool, std::string>, std::pair<u32, const Operation *>>
        kinds;  // by whether it is a receive, and place: how many, and the first
    for (u32 i = 0; i < table_.count(); i++) {
        const Operation &o = table_[i];
        // What a PE waited for when it ended otherwise has been told.
        if (o.has(Operation::blocking) && !o.has(Operation::detached)) continue;
        if (o.kind == Kind::Free || o.kind == Kind::Collective || o.kind == Kind::Probe) continue;
        // Of an announced message its sender tells.
        if (o.has(Operation::remote) && o.has(Operation::detached) && !arrivals_[o.payload].is_eager) continue;
        const auto place = places_.find(i);
        auto &[count, first] = kinds[{o.kind == Kind::Receive || o.kind == Kind::Arriving, place == places_.end() ? "" : place->second}];
        if (count++ == 0 || o.pe < first->pe) first = &o;
    }
    std::vector<Leak> all;
    for (const auto &[kind, left] : kinds) {
        const auto &[is_receive, place] = kind;
        const Operation &o = *left.second;
        const u32 rank = is_receive ? world.rank_of(o.pe) : sender_of(o);
        const std::string who = is_receive ? fmt::format("of PE {}", rank) : fmt::format("from PE {} to PE {}", rank, receiver_of(o));
        all.push_back({is_receive ? Leak::Receive : Leak::Message,
                       left.first,
                       rank,
                       {},
                       place,
                       fmt::format("{}, {}, {}", who, name_of_tag(o.tag), name_of_communicator(o.context, communicators_))});
    }
    return all;
}

std::vector<Leak> Engine::own_leftovers() const {
    std::vector<Leak> all = messages_.leaks();
    for (u32 context = MOG_MPI_SELF + 1; context < communicators_.count(); context++) {
        const Communicator &c = communicators_[context];
        // Of an intercommunicator one group tells.
        if (c.left == 0 || (c.is_inter && !c.is_first && c.remote != MOG_MPI_NO_CONTEXT)) continue;
        all.push_back({windows_.is_window(context) ? Leak::Window : Leak::Communicator,
                       1,
                       communicators_.world().first(),
                       c.span ? c.span->id : GlobalContext{},
                       c.place,
                       {}});
    }
    // Harmless, and in many programs, so only who asks is told.
    if (checks_ && left_types_.count != 0) {
        const u32 rank = communicators_.world().rank_of(left_types_.first);
        all.push_back({Leak::Type, left_types_.count, rank, {}, {}, fmt::format("of PE {}", rank)});
    }
    return all;
}

/// Of several processes the first one knows what all of them have left.
std::vector<std::string> Engine::leaks() const {
    if (communicators_.world().process != 0) return {};
    std::vector<Leak> left = own_leftovers();
    left.insert(left.end(), others_left_.begin(), others_left_.end());
    std::vector<std::string> all = sentences_about(std::move(left));
    if (!all.empty() && !checks_) all.push_back("MPI: --mpi-check says where these come from");
    return all;
}

}  // namespace mog::mpi
