// fault_details.hpp: what a message about a stopped PE shows besides its sentence: the source line, the registers.
#pragma once

#include <string>

#include "runtime_host/faults/live_registers.hpp"
#include "runtime_host/faults/stopped_pe.hpp"

namespace mog {

/// What of the program's read-only data is at an address: a variable, or the string literal, or that nothing more is known of it.
std::string name_of_data(const Image &image, std::uint32_t address);
/// "   42 |     x = *p;" if the source file can be read and has such a line; else empty. Only the file that the program's
/// debugging information names is opened.
std::string source_line(const SourcePlace &place);

/// The MIPS registers, several lines without a newline at the end; "-" for those whose value is not known. Floating-point
/// registers are shown if the value of any is known.
std::string registers_as_text(const Image &image, const RegisterSet &known, StoppedPe &pe);

}  // namespace mog
