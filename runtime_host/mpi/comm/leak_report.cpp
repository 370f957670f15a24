// leak_report.cpp
#include "runtime_host/mpi/comm/leak_report.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace mog::mpi {

namespace {

std::string sentence_about(const Leak &left) {
    const bool is_one = left.count == 1;
    if (left.kind == Leak::Communicator || left.kind == Leak::Window)
        return fmt::format("MPI: {} {}{} never freed{}", left.count, left.kind == Leak::Window ? "window" : "communicator",
                           is_one ? " was" : "s were", left.place.empty() ? "" : ", made " + left.place);
    const std::string_view what = left.kind == Leak::Receive
                                      ? is_one ? "receive was begun and never done" : "receives were begun and never done"
                                  : left.kind == Leak::Type ? is_one ? "type was never freed" : "types were never freed"
                                  : is_one                  ? "message was never received"
                                                            : "messages were never received";
    return fmt::format("MPI: {} {}; {}{}{}", left.count, what, is_one ? "" : "the first ", left.which,
                       left.place.empty() ? "" : ", " + left.place);
}

}  // namespace

void append(std::vector<u8> &out, const Leak &left) {
    append(out, left.kind);
    append(out, left.count);
    append(out, left.rank);
    append(out, left.id);
    append_text(out, left.place);
    append_text(out, left.which);
}

Leak take_leftover(FrameReader &reader) {
    Leak left{};
    left.kind = reader.take<Leak::Kind>();
    left.count = reader.take<u32>();
    left.rank = reader.take<u32>();
    left.id = reader.take<GlobalContext>();
    left.place = reader.text();
    left.which = reader.text();
    return left;
}

std::vector<std::string> sentences_about(std::vector<Leak> all) {
    std::ranges::stable_sort(all, {}, [](const Leak &left) { return left.rank; });
    std::set<GlobalContext> told;
    std::map<std::pair<u32, std::string>, Leak> groups;
    for (const Leak &left : all) {
        if (left.id != GlobalContext{} && !told.insert(left.id).second) continue;
        const auto [group, is_new] = groups.try_emplace({left.kind, left.place}, left);
        if (!is_new) group->second.count += left.count;
    }
    std::vector<std::string> sentences;
    for (const auto &[key, left] : groups) sentences.push_back(sentence_about(left));
    return sentences;
}

}  // namespace mog::mpi
