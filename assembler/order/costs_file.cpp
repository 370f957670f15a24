// costs_file.cpp: measured costs as JSON.
#include "assembler/order/costs_file.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/files/files.hpp"
#include "support/files/hash.hpp"

namespace mog {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *format_name = "mog-costs";
constexpr int version = 1;
constexpr double most_cost = 1e9;

/// Changes with every instruction's name, opcode and meaning.
std::string table_hash() {
    std::uint64_t state = fnv1a_start;
    for (const OpInfo &row : isa) state = fnv1a(row.body, fnv1a(fmt::format("{} {} ", row.name, static_cast<unsigned>(row.op)), state));
    return hex16(state);
}

std::string checksum(const Json &json) { return hex16(fnv1a(json.dump(-1, ' ', false, Json::error_handler_t::replace))); }

Json to_json(const EngineCosts &costs, bool is_sequence) {
    Json json = Json::object();
    if (is_sequence) json = {{"pass", costs.pass}, {"attempt", costs.attempt}};
    json["seconds_per_unit"] = costs.seconds_per_unit;
    json["deviation"] = costs.deviation;
    json["bodies"] = Json::object();
    for (const auto &[name, cost] : costs.bodies) json["bodies"][name] = cost;
    return json;
}

double cost(const Json &json, const char *name) {
    const double value = json.at(name).get<double>();
    if (!std::isfinite(value) || value < 0 || value > most_cost) throw std::out_of_range(name);
    return value;
}

EngineCosts engine_from(const Json &json, bool is_sequence) {
    EngineCosts costs;
    if (is_sequence) {
        costs.pass = cost(json, "pass");
        costs.attempt = cost(json, "attempt");
    }
    costs.seconds_per_unit = cost(json, "seconds_per_unit");
    costs.deviation = cost(json, "deviation");
    for (const auto &[name, value] : json.at("bodies").items()) {
        if (!find_op(name)) throw std::out_of_range(name);
        costs.bodies[name] = cost(json.at("bodies"), name.c_str());
    }
    return costs;
}

}  // namespace

std::string write_costs(const MeasuredCosts &costs) {
    Json json = {{"format", format_name},
                 {"version", version},
                 {"table", table_hash()},
                 {"device", costs.device},
                 {"description", costs.description},
                 {"driver", costs.driver},
                 {"lanes", costs.lanes}};
    if (costs.sequence) json["sequence"] = to_json(*costs.sequence, true);
    if (costs.dispatch) json["switch"] = to_json(*costs.dispatch, false);
    json["checksum"] = checksum(json);
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<MeasuredCosts> read_costs(std::string_view text) {
    constexpr const char *foreign = "holds no costs of a device; mogrun --calibrate measures them";
    if (text.empty()) return Error{"the file is empty; mogrun --calibrate writes it anew", {}};
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return Error{text.find(format_name) != text.npos ? "the file is damaged or cut off; mogrun --calibrate writes it anew" : foreign,
                     {}};
    if (!json.is_object() || !json.contains("format") || json["format"] != format_name) return Error{foreign, {}};
    if (!json.contains("version") || json["version"] != version)
        return Error{fmt::format("the file has version {}, and this program reads version {}; mogrun --calibrate writes it anew",
                                 json.contains("version") ? json["version"].dump() : "?", version),
                     {}};
    constexpr const char *damaged = "the file was damaged or changed; mogrun --calibrate writes it anew";
    if (!json.contains("checksum")) return Error{damaged, {}};
    const Json sum = json["checksum"];
    json.erase("checksum");
    if (sum != checksum(json)) return Error{damaged, {}};
    if (!json.contains("table") || json["table"] != table_hash())
        return Error{"the costs were measured with another version of MOG, whose instructions differ; run mogrun --calibrate again", {}};
    try {
        MeasuredCosts costs;
        costs.device = json.at("device").get<std::string>();
        costs.description = json.at("description").get<std::string>();
        costs.driver = json.at("driver").get<std::string>();
        costs.lanes = json.at("lanes").get<std::uint32_t>();
        if (costs.lanes == 0 || costs.lanes > 1024) throw std::out_of_range("lanes");
        if (json.contains("sequence")) costs.sequence = engine_from(json["sequence"], true);
        if (json.contains("switch")) costs.dispatch = engine_from(json["switch"], false);
        if (!costs.sequence && !costs.dispatch) return Error{damaged, {}};
        return costs;
    } catch (const std::exception &) {  // of the JSON library: a member is missing or of another type
        return Error{damaged, {}};
    }
}

std::string describe_costs(const MeasuredCosts &costs) {
    std::string text = fmt::format("{} ({})\n", costs.device, costs.description);
    for (const bool is_sequence : {true, false}) {
        const auto &engine = is_sequence ? costs.sequence : costs.dispatch;
        if (!engine) continue;
        const double ns = 1e9 * engine->seconds_per_unit;
        text += is_sequence ? fmt::format("  sequence: a pass {:.2f} ns, an attempt {:.3f} ns", ns * engine->pass, ns * engine->attempt)
                            : std::string("  switch");
        for (const std::string_view name : {"lr", "add", "lw", "div", "muld"})
            if (const auto body = engine->bodies.find(name); body != engine->bodies.end())
                text += fmt::format("{} {} {:.2f} ns", text.ends_with("switch") ? ":" : ",", name, ns * body->second);
        text += fmt::format("; measured times differ from these by {:.1f} %\n", 100 * engine->deviation);
    }
    return text;
}

DeviceCosts search_costs(const MeasuredCosts &measured) {
    DeviceCosts costs;
    const EngineCosts &engine = measured.sequence ? *measured.sequence : *measured.dispatch;
    costs.device = fmt::format("{} ({}), measured", measured.device, measured.description);
    costs.lanes = measured.lanes;
    if (measured.sequence) {
        costs.pass = engine.pass;
        costs.attempt = engine.attempt;
    } else {
        costs.device += " with a switch; passes and attempts as isa.def estimates them";
    }
    for (const auto &[name, body] : engine.bodies)
        if (const OpInfo *row = find_op(name)) costs.body[static_cast<std::uint8_t>(row->op)] = std::max(body, 1e-6);
    return costs;
}

Result<DeviceCosts> load_costs(const std::string &file) {
    auto text = read_text_file(file);
    if (!text) return text.error();
    auto costs = read_costs(*text);
    if (!costs) return Error{costs.error().message, file};
    return search_costs(*costs);
}

}  // namespace mog
