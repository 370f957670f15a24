// start_state.cpp: the program's data, its arguments, the control block and the two registers that are not zero; addresses.
#include "runtime_host/device/start_state.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "interp_templates/launch_abi.h"

namespace mog {

namespace {

/// Copying less than this is as fast as mapping it, and takes hardly more memory.
constexpr std::size_t worth_mapping = 32 << 10;

/// A process may have so many mappings.
std::uint64_t most_mappings() {
    std::ifstream file("/proc/sys/vm/max_map_count");
    std::uint64_t count = 0;
    return file >> count ? count : 0;
}

}  // namespace

StartData::StartData(const Image &image, std::uint32_t pes, std::uint32_t data_words) : data_(image.data) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t kept = data_.size() / page * page;
    // A PE takes two: what is kept once, and the rest. Half of them are left to others.
    if (kept < worth_mapping || std::uint64_t{4} * data_words % page != 0 || std::uint64_t{4} * pes > most_mappings()) return;
    file_ = memfd_create("mog-data", MFD_CLOEXEC);
    if (file_ < 0) return;
    for (std::size_t written = 0; written < kept;) {
        const ssize_t count = ::write(file_, data_.data() + written, kept - written);
        if (count <= 0) return;
        written += static_cast<std::size_t>(count);
    }
    kept_bytes_ = kept;
}

StartData::~StartData() {
    if (file_ >= 0) close(file_);
}

void StartData::write(std::uint32_t *memory, Kept kept) const {
    auto *const bytes = reinterpret_cast<std::uint8_t *>(memory);
    std::size_t mapped = kept == Kept::is_there ? kept_bytes_ : 0;
    if (kept == Kept::map && kept_bytes_ != 0 &&
        mmap(memory, kept_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file_, 0) != MAP_FAILED)
        mapped = kept_bytes_;
    std::memcpy(bytes + mapped, data_.data() + mapped, data_.size() - mapped);
}

void write_start_state(const Image &image, const LoadConfig &config, const StartData &data, std::uint32_t pe, std::uint32_t *memory,
                       std::uint32_t *state, std::size_t stride, StartData::Kept kept) {
    const std::uint32_t stack = config.data_words - static_cast<std::uint32_t>(config.startup.size());
    data.write(memory, kept);
    std::memcpy(memory + stack, config.startup.data(), 4 * config.startup.size());
    memory[MOG_CB_NPROC] = config.processes();
    memory[MOG_CB_IPROC] = pe;
    memory[MOG_CB_LIMIT] = MOG_DATA_BASE + 4u * config.data_words;
    memory[MOG_CB_SHARED] = window_end(config);
    state[MOG_S_PC * stride] = image.entry;
    state[(MOG_S_REGS + image.roles[static_cast<std::size_t>(Role::sp)]) * stride] = MOG_DATA_BASE + 4u * stack;
}

std::uint32_t window_end(const LoadConfig &config) { return config.window_bytes == 0 ? 0 : MOG_SHARED_BASE + config.window_bytes; }

std::vector<std::uint32_t> initial_data(const Image &image, const LoadConfig &config) {
    std::vector<std::uint32_t> words((image.data.size() + 3) / 4);
    std::memcpy(words.data(), image.data.data(), image.data.size());
    words[MOG_CB_SHARED] = window_end(config);
    return words;
}

bool is_in_window(const Transfer &transfer, std::uint32_t window_bytes) {
    return !transfer.is_state && transfer.address - MOG_SHARED_BASE < window_bytes;
}

bool is_in_constants(const Transfer &transfer, std::uint32_t constants_bytes) {
    return !transfer.is_state && transfer.address - constants_base < constants_bytes;
}

bool read_constants(const Transfer &transfer, std::span<const std::uint8_t> constants, std::uint8_t *staging) {
    if (!is_in_constants(transfer, static_cast<std::uint32_t>(constants.size()))) return false;
    std::memcpy(staging + transfer.staging, constants.data() + (transfer.address - constants_base), transfer.length);
    return true;
}

namespace {

Result<void> check_target(std::uint32_t pe, std::uint32_t address, std::uint32_t constants_bytes) {
    if (address - constants_base >= constants_bytes) return {};
    return Error{fmt::format("PE {} was to get data at address {:#x}, which is read only: all PEs have it once", pe, address)};
}

}  // namespace

Result<void> check_targets(std::span<const Transfer> transfers, std::uint32_t constants_bytes) {
    if (constants_bytes == 0) return {};
    for (const Transfer &t : transfers)
        if (!t.is_state) MOG_TRY(check_target(t.pe, t.address, constants_bytes));
    return {};
}

Result<void> check_targets(std::span<const Copy> copies, std::uint32_t constants_bytes) {
    if (constants_bytes == 0) return {};
    for (const Copy &c : copies) MOG_TRY(check_target(c.to_pe, c.to, constants_bytes));
    return {};
}

std::uint8_t *place_of(const Transfer &transfer, std::uint32_t *memory, std::uint32_t *state, std::size_t stride) {
    if (transfer.is_state) return reinterpret_cast<std::uint8_t *>(state + transfer.address * stride);
    return reinterpret_cast<std::uint8_t *>(memory) + (transfer.address - MOG_DATA_BASE);
}

}  // namespace mog
