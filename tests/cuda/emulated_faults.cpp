// emulated_faults.cpp: reads MOG_EMULATED_CUDA.
#include "tests/cuda/emulated_device.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace mog_emulation {

namespace {

std::uint64_t number(std::string_view word, std::string_view text) {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    static constexpr std::string_view units[] = {"", "K", "M", "G"};
    for (unsigned i = 0; i < 4; i++)
        if (error == std::errc() && rest == units[i]) return n << (10 * i);
    give_up(fmt::format("MOG_EMULATED_CUDA: {}={} is no number", word, text));
}

}  // namespace

Faults read_faults() {
    Faults faults;
    const char *const variable = std::getenv("MOG_EMULATED_CUDA");
    std::string_view rest = variable ? variable : "";
    while (!rest.empty()) {
        const std::string_view entry = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
        const std::size_t equals = std::min(entry.find('='), entry.size());
        const std::string_view word = entry.substr(0, equals);
        const std::string_view value = entry.substr(std::min(equals + 1, entry.size()));
        if (entry == "compile=fail") faults.compile_fails = true;
        else if (word == "devices") faults.devices = static_cast<int>(number(word, value));
        else if (word == "memory") faults.memory = number(word, value);
        else if (word == "driver") faults.driver = static_cast<int>(number(word, value));
        else if (word == "lost_after") faults.lost_after = number(word, value);
        else if (word == "capability") faults.capability = static_cast<int>(number(word, value));
        else if (word == "archs") faults.archs = static_cast<int>(number(word, value));
        else give_up(fmt::format("MOG_EMULATED_CUDA: \"{}\" is not known here", entry));
    }
    return faults;
}

}  // namespace mog_emulation
