// host_interpreter.cpp: which of the interpreters (host_interpreter_slice.cpp), and what it is told.
#include "runtime_host/devices/host/interpreter/host_interpreter.hpp"

#include "assembler/image/read_only.hpp"
#include "runtime_host/devices/host/interpreter/host_interpreters.hpp"

namespace mog {

HostProgram host_program(const Image &image) {
    const auto role = [&](Role which) -> std::uint32_t { return image.roles[static_cast<std::size_t>(which)]; };
    HostProgram program;
    program.registers = static_cast<std::uint32_t>(image.register_names.size());
    program.cpool_shift = image.cpool_shift;
    program.code_base = image.code_base;
    program.code_words = static_cast<std::uint32_t>(image.code_map.size());
    program.read_only = read_only_of(image);
    program.sp = role(Role::sp);
    program.ra = role(Role::ra);
    program.v0 = role(Role::v0);
    program.a0 = role(Role::a0);
    program.a1 = role(Role::a1);
    program.a2 = role(Role::a2);
    program.a3 = role(Role::a3);
    return program;
}

HostInterpreter *host_interpreter(const Arithmetic &arithmetic) {
    if (arithmetic.fcsr) return host_interpreters::run_fcsr;
    if (arithmetic.doubles == Arithmetic::How::Soft) return host_interpreters::run_soft;
    if (arithmetic.doubles == Arithmetic::How::Pair) return host_interpreters::run_pair;
    return host_interpreters::run_native;
}

}  // namespace mog
