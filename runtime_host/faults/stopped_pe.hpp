// stopped_pe.hpp: a PE that does not run, for those who look at it: where it stands, its registers, its memory. What is
// not at hand is fetched from the device when somebody asks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

class StoppedPe {
public:
    /// What is known of it from the start. `text_index`: of the instruction it stands at. `brk`: end of its heap.
    struct Facts {
        std::uint32_t pe = 0, text_index = 0;
        std::uint32_t sp = 0, ra = 0, fp = 0, brk = 0;
    };
    StoppedPe(Device &device, const Image &image, std::uint32_t data_bytes, const Facts &facts);

    const Facts &facts() const { return facts_; }
    std::uint32_t pe() const { return facts_.pe; }
    /// MIPS address of the instruction it stands at; 0 if unknown.
    std::uint32_t address() const { return address_; }
    std::uint32_t data_bytes() const { return data_bytes_; }

    /// These words of its DATA, from `address` on, are at hand.
    void set_window(std::uint32_t address, std::span<const std::uint32_t> words);

    /// The word at an address of DATA; nothing if there is none, or the device does not answer.
    std::optional<std::uint32_t> word(std::uint32_t address);
    /// All registers by number; empty if the device does not answer.
    const std::vector<std::uint32_t> &registers();
    /// All of DATA.
    Result<std::vector<std::uint8_t>> data();

private:
    Device &device_;
    const Image &image_;
    std::uint32_t data_bytes_;
    Facts facts_;
    std::uint32_t address_ = 0;
    std::uint32_t window_at_ = 0;
    std::span<const std::uint32_t> window_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> pieces_;  ///< of DATA, by their number
    std::vector<std::uint32_t> registers_;
};

/// The number of the register with this name; nothing if the program does without it.
std::optional<std::uint32_t> find_register(const Image &image, std::string_view name);
/// That of the thread's pointer, which programs have that start threads; translator/mips/mips.cpp names it.
inline std::optional<std::uint32_t> thread_pointer_register(const Image &image) { return find_register(image, "tp"); }

}  // namespace mog
