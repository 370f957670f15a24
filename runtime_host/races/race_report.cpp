// race_report.cpp: a race, for the program's author.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/races/race_checker.hpp"

namespace mog {

namespace {

constexpr std::uint32_t call_and_delay_slot = 8;

SourcePlace place_of_instruction(const Image &image, const RaceAccess &access) {
    return find_source(image, image.source_address[access.text_index]);
}
SourcePlace place_of_call(const Image &image, const RaceAccess &access) {
    return find_source(image, access.return_address - call_and_delay_slot);
}

/// "in raise at t.c:7"; "in memcpy, called from fill at t.c:12", as far as it is known.
std::string place_of(const Image &image, const RaceAccess &access) {
    const auto describe = [](const SourcePlace &place, std::string_view preposition) {
        std::string text;
        if (!place.function.empty()) text += fmt::format(" {} {}", preposition, place.function);
        if (!place.file.empty()) text += fmt::format(" at {}:{}", place.file, place.line);
        return text;
    };
    const SourcePlace own = place_of_instruction(image, access);
    std::string text = describe(own, "in");
    if (!own.file.empty()) return text;
    const SourcePlace caller = place_of_call(image, access);
    if (caller.function != own.function && !caller.function.empty()) text += "," + describe(caller, "called from");
    return text;
}

/// The variable that an address is in; null: none is known.
const Symbol *variable_at(const Image &image, std::uint32_t address) {
    auto at = std::ranges::upper_bound(image.symbols, address, {}, &Symbol::address);
    while (at != image.symbols.begin()) {
        --at;
        if (at->is_code || at->size == 0 || address - at->address >= at->size) continue;
        return &*at;
    }
    return nullptr;
}

std::string_view verb_of(const RaceAccess &access) {
    if (access.is_atomic) return "atomically stores";
    return access.is_store ? "stores" : "loads";
}

}  // namespace

std::string name_of_variable(const Image &image, std::uint32_t address) {
    const Symbol *const variable = variable_at(image, address);
    if (!variable) return fmt::format("address {:#x}", address);
    return address == variable->address ? variable->name : fmt::format("{}+{}", variable->name, address - variable->address);
}

bool concerns_program(const Image &image, const Race &race) {
    if (image.lines.empty()) return true;
    const RaceAccess *const both[] = {&race.earlier, &race.later};
    const auto is_own = [&](const RaceAccess *access) { return !place_of_instruction(image, *access).file.empty(); };
    const auto is_called = [&](const RaceAccess *access) { return !place_of_call(image, *access).file.empty(); };
    return std::ranges::any_of(both, is_own) || std::ranges::all_of(both, is_called);
}

std::string race_key(const Image &image, const Race &race) {
    const Symbol *const variable = variable_at(image, race.address);
    std::string first = place_of(image, race.earlier), second = place_of(image, race.later);
    if (second < first) std::swap(first, second);
    return fmt::format("{}\n{}\n{}", variable ? variable->name : "", first, second);
}

std::string race_as_text(const Image &image, const Race &race) {
    return fmt::format("data race on {}: thread {} {} {} byte{}{}; before, thread {} {} there{}; and nothing orders the two",
                       name_of_variable(image, race.address), race.later.thread, verb_of(race.later), race.bytes,
                       race.bytes == 1 ? "" : "s", place_of(image, race.later), race.earlier.thread, verb_of(race.earlier),
                       place_of(image, race.earlier));
}

}  // namespace mog
