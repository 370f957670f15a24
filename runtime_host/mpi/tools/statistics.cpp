// statistics.cpp
#include "runtime_host/mpi/tools/statistics.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runtime_host/mpi/tools/call_names.hpp"

namespace mog::mpi {

Matrix::Matrix(u32 nproc)
    : ranks(nproc), size(std::min(nproc, most_cells)), messages(std::size_t{size} * size), bytes(std::size_t{size} * size) {}

void Statistics::called(const MpiCall &call, double seconds) {
    Function &function = functions_[call.words[0] & 0xffff];
    if (function.calls++ == 0) function.name = name_of(call);
    function.bytes += bytes_of(call);
    Rank &rank = ranks_[world_.rank_of(call.pe)];
    rank.since = seconds;
    rank.in = &function;
}

void Statistics::resumed(u32 pe, double seconds) {
    Rank &rank = ranks_[world_.rank_of(pe)];
    if (!rank.in) return;
    const double waited = seconds - rank.since;
    rank.waiting += waited;
    rank.in->waiting += waited;
    if (waited > rank.in->longest) {
        rank.in->longest = waited;
        rank.in->longest_rank = world_.rank_of(pe);
    }
    rank.in = nullptr;
}

void Statistics::sent(u32, const Operation &message) {
    const u32 from = world_.rank_of(message.pe), to = message.has(Operation::remote) ? message.to : world_.rank_of(message.to);
    Rank &rank = ranks_[from];
    rank.sent++;
    rank.bytes_sent += message.bytes;
    const std::size_t cell = matrix_.cell(from, to);
    matrix_.messages[cell]++;
    matrix_.bytes[cell] += message.bytes;
}

void Statistics::met(u32, const Operation &message, const Operation &receive) {
    Rank &rank = ranks_[world_.rank_of(receive.pe)];
    rank.received++;
    rank.bytes_received += std::min(message.bytes, receive.bytes);
}

void Statistics::ended(double seconds) {
    seconds_ = seconds;
    for (u32 pe = 0; pe < world_.nproc; pe++) resumed(pe, seconds);
}

std::vector<u8> Statistics::report() const {
    std::vector<u8> out;
    append(out, seconds_);
    append(out, u64{functions_.size()});
    for (const auto &[key, f] : functions_) {
        append(out, key);
        append_text(out, f.name);
        append(out, static_cast<const Counts &>(f));
    }
    append(out, world_.first());
    for (u32 pe = 0; pe < world_.nproc; pe++) append(out, static_cast<const RankCounts &>(ranks_[world_.rank_of(pe)]));
    for (const std::vector<u64> *cells : {&matrix_.messages, &matrix_.bytes})
        for (const u64 cell : *cells) append(out, cell);
    return out;
}

void Statistics::take_report(FrameReader report) {
    seconds_ = std::max(seconds_, report.take<double>());
    for (u64 left = report.take<u64>(); left != 0 && report.is_good(); left--) {
        Function &function = functions_[report.take<u32>()];
        function.name = report.text();
        const auto counts = report.take<Counts>();
        function.calls += counts.calls;
        function.bytes += counts.bytes;
        function.waiting += counts.waiting;
        if (counts.longest <= function.longest) continue;
        function.longest = counts.longest;
        function.longest_rank = counts.longest_rank;
    }
    const u32 first = report.take<u32>();
    if (!report.is_good() || first > ranks_.size() - world_.nproc) return;
    for (u32 pe = 0; pe < world_.nproc; pe++) static_cast<RankCounts &>(ranks_[first + pe]) = report.take<RankCounts>();
    for (std::vector<u64> *cells : {&matrix_.messages, &matrix_.bytes})
        for (u64 &cell : *cells) cell += report.take<u64>();
}

std::span<const Statistics::Column> Statistics::columns() {
    static constexpr Column all[] = {
        {"messages sent", "messages_sent", false, [](const Rank &r) { return static_cast<double>(r.sent); }},
        {"bytes sent", "bytes_sent", false, [](const Rank &r) { return static_cast<double>(r.bytes_sent); }},
        {"messages received", "messages_received", false, [](const Rank &r) { return static_cast<double>(r.received); }},
        {"bytes received", "bytes_received", false, [](const Rank &r) { return static_cast<double>(r.bytes_received); }},
        {"seconds in MPI", "seconds_in_mpi", true, [](const Rank &r) { return r.waiting; }},
    };
    return all;
}

std::vector<const Statistics::Function *> Statistics::by_waiting() const {
    std::vector<const Function *> all;
    for (const auto &[key, function] : functions_) all.push_back(&function);
    std::ranges::stable_sort(all, std::greater<>(), &Function::waiting);
    return all;
}

std::string Statistics::as_text() const {
    std::string text = fmt::format("mog: MPI, {} ranks, {:.3f} s\n", ranks_.size(), seconds_);
    text += fmt::format("  {:<28}{:>12}{:>16}{:>14}{:>12}{:>12}  {}\n", "function", "calls", "bytes", "seconds, all", "mean", "longest",
                        "of rank");
    for (const Function *f : by_waiting())
        text += fmt::format("  {:<28}{:>12}{:>16}{:>14.3f}{:>12.6f}{:>12.6f}  {}\n", f->name, f->calls,
                            f->bytes ? fmt::format("{}", f->bytes) : "-", f->waiting, f->waiting / static_cast<double>(f->calls),
                            f->longest, f->longest_rank);
    text += fmt::format("  {:<28}{:>12}{:>16}{:>14}  {}\n", "by rank", "least", "median", "most", "of rank");
    std::vector<u32> order(ranks_.size());
    std::iota(order.begin(), order.end(), 0u);
    for (const Column &column : columns()) {
        std::ranges::stable_sort(order, {}, [&](u32 r) { return column.of(ranks_[r]); });
        // Of those with most, the lowest.
        const u32 most = *std::ranges::lower_bound(order, column.of(ranks_[order.back()]), {}, [&](u32 r) { return column.of(ranks_[r]); });
        const auto number = [&](u32 rank) { return fmt::format("{:.{}f}", column.of(ranks_[rank]), column.is_time ? 3 : 0); };
        text += fmt::format("  {:<28}{:>12}{:>16}{:>14}  {}\n", column.name, number(order.front()), number(order[order.size() / 2]),
                            number(most), most);
    }
    return text;
}

std::string Statistics::as_json() const {
    nlohmann::ordered_json json = {{"ranks", ranks_.size()}, {"seconds", seconds_}, {"functions", nlohmann::ordered_json::array()}};
    for (const Function *f : by_waiting())
        json["functions"].push_back({{"name", f->name},
                                     {"calls", f->calls},
                                     {"bytes", f->bytes},
                                     {"seconds", f->waiting},
                                     {"longest_seconds", f->longest},
                                     {"longest_rank", f->longest_rank}});
    for (const Column &column : columns()) {
        nlohmann::ordered_json &values = json["by_rank"][std::string(column.key)] = nlohmann::ordered_json::array();
        for (const Rank &rank : ranks_) {
            if (column.is_time) values.push_back(column.of(rank));
            else values.push_back(static_cast<u64>(column.of(rank)));
        }
    }
    return nlohmann::ordered_json{{"mpi", json}}.dump(2) + "\n";
}

}  // namespace mog::mpi
