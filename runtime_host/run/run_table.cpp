// run_table.cpp
#include "runtime_host/run/run_table.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "runtime_host/faults/faults.hpp"
#include "runtime_host/linux/guest_names.hpp"

namespace mog {

namespace {

std::string how_it_ended(const PeEnd &end, const RunRecord &record) {
    if (record.attempts == 0) return "not begun";
    switch (end.by) {
        case EndedBy::Exit: return record.has_started ? "exit" : "not started";
        case EndedBy::Fault:
        case EndedBy::Signal: return guest::signal_text(static_cast<std::uint32_t>(end.signal));
        case EndedBy::Fuel: return "fuel";
        case EndedBy::Timeout: return "timeout";
        case EndedBy::Deadlock: return "deadlock";
        case EndedBy::Abort: return "abort";
        case EndedBy::OthersFault: return "other's fault";
        case EndedBy::Cancel: return "cancelled";
        case EndedBy::Not: break;
    }
    return "";
}

std::string quoted(const std::string &text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string all = "\"";
    for (const char c : text) all += c == '"' ? "\"\"" : std::string(1, c);
    return all + '"';
}

}  // namespace

std::string run_table(const ServiceLoop &loop, const Sweep &sweep) {
    const std::vector<RunRecord> &records = *loop.runs();
    const bool as_json = sweep.options().results.ends_with(".json");
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    std::string text = "run,status,end,attempts,begin,seconds,instructions,arguments\n";
    for (std::uint32_t run = 0; run < sweep.runs(); ++run) {
        const RunRecord &record = records[run];
        const PeEnd &end = loop.end_of(run);
        const auto in_microseconds = [](double time) { return std::round(1e6 * std::max(0.0, time)) / 1e6; };
        const double begin = in_microseconds(record.begin), seconds = in_microseconds(record.end - record.begin);
        const std::string how = how_it_ended(end, record), arguments = fmt::format("{}", fmt::join(sweep.arguments_of(run), " "));
        if (!as_json) {
            text += fmt::format("{},{},{},{},{:.6f},{:.6f},{},{}\n", run, end.status, quoted(how), record.attempts, begin, seconds,
                                record.instructions ? fmt::format("{}", *record.instructions) : "", quoted(arguments));
            continue;
        }
        nlohmann::ordered_json row = {{"run", run},     {"status", end.status}, {"end", how}, {"attempts", record.attempts},
                                      {"begin", begin}, {"seconds", seconds}};
        if (record.instructions) row["instructions"] = *record.instructions;
        row["arguments"] = sweep.arguments_of(run);
        rows.push_back(std::move(row));
    }
    // Programs' arguments need not be UTF-8.
    return as_json ? rows.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n" : text;
}

std::string failed_runs(const RunResult &result) {
    constexpr std::size_t most_told = 4;
    std::size_t all = 0, failed = 0, told = 0;
    std::string text;
    for (const auto &[status, runs] : result.ranks_by_status) {
        all += runs.size();
        if (status == 0) continue;
        failed += runs.size();
        if (told++ < most_told) text += fmt::format("{}status {}: {}", text.empty() ? "" : "; ", status, fold_ranks(runs));
    }
    if (failed == 0) return {};
    return fmt::format("{} of {} runs failed: {}{}", failed, all, text, told > most_told ? "; ..." : "");
}

}  // namespace mog
