// start_state.cpp: the program's data, its arguments, the control block and the two registers that are not zero.
#include "runtime_host/start_state.hpp"

#include <cstring>

#include "interp_templates/launch_abi.h"

namespace mog {

void write_start_state(const Image &image, const LoadConfig &config, std::uint32_t pe, std::uint32_t *memory, std::uint32_t *state,
                       std::size_t stride) {
    const std::uint32_t stack = config.data_words - static_cast<std::uint32_t>(config.startup.size());
    std::memcpy(memory, image.data.data(), image.data.size());
    std::memcpy(memory + stack, config.startup.data(), 4 * config.startup.size());
    memory[MOG_CB_NPROC] = config.nproc;
    memory[MOG_CB_IPROC] = pe;
    memory[MOG_CB_LIMIT] = MOG_DATA_BASE + 4u * config.data_words;
    state[MOG_S_PC * stride] = image.entry;
    state[(MOG_S_REGS + image.roles[static_cast<std::size_t>(Role::sp)]) * stride] = MOG_DATA_BASE + 4u * stack;
}

}  // namespace mog
