// kernel_setup.cpp: options, constants, counters.
#include "runtime_host/device/kernel_setup.hpp"

#include <fmt/format.h>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/blocks/entries_without.hpp"
#include "assembler/image/breaks.hpp"

namespace mog {

namespace {

template <typename T>
std::span<const std::uint8_t> bytes_of(std::span<const T> words) {
    return {reinterpret_cast<const std::uint8_t *>(words.data()), words.size_bytes()};
}

}  // namespace

std::uint64_t kernel_bytes_per_pe(const Image &image, std::uint32_t data_words) {
    return 4ull * (data_words + MOG_S_REGS + image.register_names.size() + MOG_Q_WORDS + 1);
}

std::uint32_t laid_words(const LoadConfig &config, std::uint32_t behind) {
    if (!is_by_sectors(config.layout)) return config.data_words + behind;
    const std::uint32_t whole = (config.data_words + behind + MOG_SECTOR_WORDS - 1) / MOG_SECTOR_WORDS * MOG_SECTOR_WORDS;
    return config.layout == MemoryLayout::Count ? MOG_L_WORDS + whole : whole;
}

std::string kernel_definitions(const Arithmetic &arithmetic, const LoadConfig &config, bool is_switch,
                               std::span<const std::uint32_t> entries) {
    std::string text = arithmetic.definitions();
    if (config.count) text += " -DMOG_COUNT";
    if (config.threads > 1) text += fmt::format(" -DMOG_PROCESSES={}u", config.processes());
    if (is_by_sectors(config.layout)) text += " -DMOG_SECTORS";
    if (config.layout == MemoryLayout::Count) text += " -DMOG_COUNT_SECTORS";
    if (config.fuel) text += " -DMOG_FUEL";
    if (config.profile) text += " -DMOG_PROFILE";
    if (config.debugged) text += " -DMOG_PLAIN";
    if (is_switch) text += " -DMOG_ENGINE_SWITCH";
    if (!entries.empty()) text += " -DMOG_ENGINE_BLOCKS";
    return text;
}

KernelBreaks::KernelBreaks(const Image &image, std::span<const std::uint32_t> entries_of_all, std::span<const std::uint32_t> places)
    : text(text_with_breaks(image.text, places)), entries(entries_without(image, entries_of_all, kernel_compiled_places(image), places)) {}

std::string cuda_definitions(const Arithmetic &arithmetic, const LoadConfig &config, bool is_switch,
                             std::span<const std::uint32_t> entries) {
    std::string text = kernel_definitions(arithmetic, config, is_switch, entries) + " -DMOG_CONCURRENT";
    if (!entries.empty() && config.divergence && *config.divergence != Divergence::Off)
        text += *config.divergence == Divergence::Simple ? " -DMOG_COPIES=1" : " -DMOG_COPIES=2";
    return text;
}

KernelConstants::KernelConstants(const Image &image, const LoadConfig &config, bool is_switch, std::span<const std::uint32_t> entries,
                                 bool plain)
    : text(text_to_load(image, is_switch ? Shape::switch_ : Shape::sequence,
                        plain || config.fuel || config.profile || config.debugged || !entries.empty())),
      parts{bytes_of(std::span<const std::uint16_t>(text.words)), bytes_of(std::span<const std::uint32_t>(image.cpool)),
            bytes_of(std::span<const std::uint32_t>(image.code_map)), bytes_of(entries)} {}

void LaunchCounts::start(const Image &image) {
    const std::size_t places = image.text.size() + 1;  // and one for code that runs off its end
    counters_.assign(2 * places, 0);
    total_.executed.assign(places, 0);
    total_.taken.assign(places, 0);
}

void LaunchCounts::take_over() {
    for (std::size_t i = 0; i < total_.executed.size(); i++) {
        total_.executed[i] += counters_[2 * i];
        total_.taken[i] += counters_[2 * i + 1];
    }
}

}  // namespace mog
