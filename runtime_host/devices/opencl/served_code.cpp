// served_code.cpp: calls of the system in the midst of a launch.
#include "runtime_host/devices/opencl/served_code.hpp"

#include <vector>

namespace mog {

ServedCode::ServedCode(const Image &image, NativeHook native, std::uint32_t data_bytes, FindOwner find_owner,
                       const Device::ServeAtOnce &serve)
    : image_(image), native_(native), data_bytes_(data_bytes), find_owner_(std::move(find_owner)), serve_(serve) {}

void ServedCode::run(void *code, MogBlocks *blocks, std::uint32_t *registers, std::uint32_t *memory) {
    const ServedCode &self = *static_cast<ServedCode *>(code);
    self.native_.run(self.native_.code, blocks, registers, memory);
    if (blocks->cold == 0 || !self.serve_ || !self.serves(*blocks, registers, memory)) return;
    blocks->passes -= 1;
    blocks->cold = 0;
}

bool ServedCode::serves(MogBlocks &blocks, std::uint32_t *registers, const std::uint32_t *memory) const {
    // Of a slice that would be over behind it, the interpreter has the end.
    if (blocks.passes < 2 || blocks.pc >= image_.text.size() || op_at(image_, blocks.pc) != Op::sys_) return false;
    const auto reg = [&](Role role) -> std::uint32_t & { return registers[image_.roles[static_cast<std::size_t>(role)]]; };
    const Owner owner = find_owner_(memory);
    // As the interpreter writes it (interpreter.c).
    Request call{};
    const std::uint32_t at = reg(Role::sp) - MOG_DATA_BASE;
    call[MOG_Q_PE] = owner.pe;
    call[MOG_Q_STOP] = MOG_STOP_SYS;
    call[MOG_Q_PC] = blocks.pc + 1;
    call[MOG_Q_INFO] = image_.text[blocks.pc] & 0xffu;
    call[MOG_Q_SP] = reg(Role::sp);
    call[MOG_Q_RA] = reg(Role::ra);
    call[MOG_Q_NUMBER] = reg(Role::v0);
    call[MOG_Q_LEFT] = blocks.passes - 1;
    const Role arguments[] = {Role::a0, Role::a1, Role::a2, Role::a3};
    for (std::size_t i = 0; i < 4; ++i) call[MOG_Q_ARG + i] = reg(arguments[i]);
    const bool has_more = at % 4 == 0 && at < data_bytes_ && data_bytes_ - at >= 32;
    for (std::size_t i = 4; i < 8; ++i) call[MOG_Q_ARG + i] = has_more ? memory[at / 4 + i] : 0;
    std::vector<std::uint32_t> nobody;
    const Device::Served served = serve_(call, nobody);
    if (served == Device::Served::begins) {
        blocks.pc = owner.row(MOG_S_PC);
        blocks.acc = owner.row(MOG_S_ACC);
        blocks.fcsr = owner.row(MOG_S_FCSR);
        blocks.dacc = owner.row(MOG_S_DLO) | std::uint64_t{owner.row(MOG_S_DHI)} << 32;
        for (std::size_t r = 0; r < image_.register_names.size(); ++r) registers[r] = owner.row(MOG_S_REGS + r);
        return true;
    }
    if (served != Device::Served::runs_on) return false;
    for (const Role role : {Role::v0, Role::a3}) reg(role) = owner.row(MOG_S_REGS + image_.roles[static_cast<std::size_t>(role)]);
    blocks.pc += 1;
    return true;
}

}  // namespace mog
