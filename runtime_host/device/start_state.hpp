// start_state.hpp: PEs that live in the host's memory word after word: what one finds when it starts, and where a transfer's bytes are.
// The kernels mog_init and mog_transfer do the same where memory is the device's own, or interleaved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assembler/image/image.hpp"
#include "runtime_host/device/device.hpp"

namespace mog {

/// The program's data, with which DATA of each PE begins. Long ones are kept once by the system for all PEs, whose pages are their own
/// from when they write to them: tables that nobody writes to cost nothing for a PE, neither time nor memory.
class StartData {
public:
    /// For PEs with so many words each. `image` must outlive it.
    StartData(const Image &image, std::uint32_t pes, std::uint32_t data_words);
    ~StartData();
    StartData(const StartData &) = delete;
    StartData &operator=(const StartData &) = delete;

    /// What is kept once, in the memory of a PE: to be mapped there; there already, and as it was; or written like the rest.
    enum class Kept : std::uint8_t { map, is_there, write };
    /// Writes them for a PE whose memory, of anonymous pages, begins here. Several threads may.
    void write(std::uint32_t *memory, Kept kept = Kept::map) const;
    /// The words of them, whole pages, that are kept once; 0: each PE has its own.
    std::size_t words_kept_once() const { return kept_bytes_ / 4; }

private:
    std::span<const std::uint8_t> data_;
    int file_ = -1;
    std::size_t kept_bytes_ = 0;
};

/// Writes DATA of PE `pe`, and row r of its state at `state[r * stride]`. Both are zero before.
void write_start_state(const Image &image, const LoadConfig &config, const StartData &data, std::uint32_t pe, std::uint32_t *memory,
                       std::uint32_t *state, std::size_t stride, StartData::Kept kept = StartData::Kept::map);

/// First address behind the window; 0: there is none.
std::uint32_t window_end(const LoadConfig &config);
/// The program's data with what each PE finds of the run in its control block, for kernels that start PEs.
std::vector<std::uint32_t> initial_data(const Image &image, const LoadConfig &config);

/// It is one to the window of so many bytes, which devices have beside the memory of PEs.
bool is_in_window(const Transfer &transfer, std::uint32_t window_bytes);
/// The same of constants that all PEs have once.
bool is_in_constants(const Transfer &transfer, std::uint32_t constants_bytes);
/// If a transfer reads there, does it: into `staging`, at its place.
bool read_constants(const Transfer &transfer, std::span<const std::uint8_t> constants, std::uint8_t *staging);
/// An error if some of them are to write there.
Result<void> check_targets(std::span<const Transfer> transfers, std::uint32_t constants_bytes);
Result<void> check_targets(std::span<const Copy> copies, std::uint32_t constants_bytes);

/// Where the bytes of a transfer stand: in the PE's DATA, or in row r of its state at `state[r * stride]`.
std::uint8_t *place_of(const Transfer &transfer, std::uint32_t *memory, std::uint32_t *state, std::size_t stride);

}  // namespace mog
