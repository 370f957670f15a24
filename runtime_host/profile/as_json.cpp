// as_json.cpp: the report for programs.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runtime_host/profile/report.hpp"

namespace mog::profile {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_instructions = 5000, most_stacks_told = 20'000;  ///< the costliest ones

void add(Json &json, const Cost &cost) {
    json["instructions"] = cost.instructions;
    json["seconds"] = cost.seconds;
    json["waiting"] = cost.waiting();
}

Json waits(const WaitSeconds &seconds) {
    return {{"mpi", seconds[static_cast<std::size_t>(WaitFor::mpi)]},
            {"threads", seconds[static_cast<std::size_t>(WaitFor::threads)]},
            {"calls", seconds[static_cast<std::size_t>(WaitFor::calls)]}};
}

Json engines(const std::array<double, by_kinds> &by) {
    Json json = Json::object();
    for (std::size_t kind = 0; kind < by_kinds; ++kind)
        if (by[kind] > 0) json[std::string(name_of(static_cast<By>(kind)))] = by[kind];
    return json;
}

Json ranks_as_json(const Ranks &ranks, std::size_t count) {
    Json json = {{"count", count},       {"mean", ranks.mean},           {"least", ranks.least},           {"least_rank", ranks.least_rank},
                 {"most", ranks.most},   {"most_rank", ranks.most_rank}, {"imbalance", ranks.imbalance()}, {"sorted", ranks.sorted},
                 {"bins", Json::array()}};
    for (const RankBin &bin : ranks.bins)
        json["bins"].push_back({{"first", bin.first},
                                {"count", bin.count},
                                {"instructions", bin.all},
                                {"least", bin.least},
                                {"most", bin.most},
                                {"waiting", waits(bin.waits)}});
    return json;
}

}  // namespace

std::string as_json(const Report &report) {
    const RunFacts &run = report.run;
    Json json = {{"program", run.program},
                 {"arguments", run.arguments},
                 {"device", run.device},
                 {"engine", run.engine},
                 {"ranks_count", run.ranks},
                 {"seconds", run.seconds},
                 {"device_seconds", run.device_seconds},
                 {"launches", run.launches},
                 {"unit", report.unit()},
                 {"counted", report.is_counted()},
                 {"looks", report.looks},
                 {"samples", report.samples},
                 {"seconds_of_looks", report.seconds_of_looks},
                 {"stacks_cut", report.cut_stacks}};
    json["all"] = Json::object();
    add(json["all"], report.all);
    json["all"]["waiting_for"] = waits(report.all.waits);
    json["engines"] = engines(report.by);
    Json &functions = json["functions"] = Json::array();
    for (const Function &function : report.functions) {
        Json entry = {{"name", function.name}, {"file", function.file}, {"line", function.line}};
        add(entry["self"], function.self);
        add(entry["total"], function.total);
        entry["engines"] = engines(function.by);
        functions.push_back(std::move(entry));
    }
    Json &lines = json["lines"] = Json::array();
    for (const Line &line : report.lines) {
        Json entry = {{"file", line.file}, {"line", line.line}, {"function", report.functions[line.function].name}};
        add(entry, line.self);
        if (report.group > 1 && line.together > 0) entry["together"] = line.together;
        lines.push_back(std::move(entry));
    }
    json["group"] = report.group;
    Json &instructions = json["instructions"] = Json::array();
    for (const Instruction &instruction : report.instructions) {
        if (instructions.size() == most_instructions) break;
        Json entry = {{"address", fmt::format("{:#010x}", instruction.address)},
                      {"mog", instruction.mog},
                      {"function", report.functions[instruction.function].name},
                      {"file", instruction.file},
                      {"line", instruction.line},
                      {"engine", name_of(instruction.by)}};
        add(entry, instruction.self);
        instructions.push_back(std::move(entry));
    }
    json["instructions_left_out"] = report.instructions.size() - instructions.size();
    json["ranks"] = ranks_as_json(report.ranks, run.ranks);
    json["mpi"] = Json::array();
    for (const RunFacts::MpiFunction &function : run.mpi)
        json["mpi"].push_back({{"name", function.name},
                               {"calls", function.calls},
                               {"bytes", function.bytes},
                               {"seconds", function.seconds},
                               {"longest_seconds", function.longest},
                               {"longest_rank", function.longest_rank}});
    json["calls"] = Json::object();
    for (const auto &[name, count] : run.calls) json["calls"][name] = count;
    Json &stacks = json["stacks"] = Json::array();
    for (const StackOf &stack : report.stacks) {
        if (stacks.size() == most_stacks_told) break;
        Json entry = {{"frames", Json::array()}};
        for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
            const std::string &name = report.functions[frame->function].name;
            entry["frames"].push_back(frame->line == 0 ? name : fmt::format("{}:{}", name, frame->line));
        }
        add(entry, stack.cost);
        stacks.push_back(std::move(entry));
    }
    json["stacks_left_out"] = report.stacks.size() - stacks.size();
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mog::profile
