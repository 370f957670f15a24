// usimd_text.hpp: programs of the u-SIMD machine as text, read into kernels.
//
// The language is that of Sampaio's thesis, table 3.1, with names for variables and labels. One instruction a line:
//
//     .param m, v, c = 4       variables that are the same in all lanes, and what the machine gives them (0, if nothing is said)
//     .block 8, 4, 1           threads of a block by dimension, for tid.x, tid.y, tid.z and the analysis
//     .cells 64                cells of the shared memory; numbers from 0 on
//     .cell 3 = 7, 8, 9        what cells 3, 4, 5 hold at the begin
//     .local 4                 cells that each lane has for itself; .warp 4: that each warp has. They hold anything at the begin
//
//     loop:  x = 3             x = y
//            x = tid + 1       and - * / % & | ^ << >> == != < <= > >=; operands are variables, numbers, or what the machine
//                              gives: tid, tid.x, tid.y, tid.z, lane, warp, ntid.x, ...
//            x = min y, z      and max; mad y, z, u: y * z + u; select y, z, u: z if y is not 0, else u
//            x = [a]           [a] = x                x = atomic [a] + 1
//            x = local [a]     local [a] = x          cells of each lane's own; warp [a]: of each warp's
//            bz x, loop        to loop where x is 0. bnz: where it is not
//            jump loop         sync                   stop
//
// A comment begins with #. Numbers are integers without end: a machine stops where one does not fit into 64 bits.
#pragma once

#include <string_view>
#include <vector>

#include "assembler/divergence/kernel.hpp"
#include "assembler/divergence/thread_shape.hpp"
#include "support/result.hpp"

namespace mog::usimd {

struct Program {
    divergence::Kernel kernel;
    std::vector<std::int64_t> parameters;  ///< by variable: what it holds at the begin
    divergence::ThreadShape shape;         ///< threads in a row, if the text has no .block
    std::vector<std::int64_t> cells;       ///< the shared memory at the begin
    std::size_t lane_cells = 0, warp_cells = 0;
    /// By variable, or empty: those that lose what they hold when it is written, being registers that lie over it.
    std::vector<std::vector<divergence::Variable>> overlaps;
};

/// `name`: of the file, for messages and places. The mistakes of the whole text are told together.
Result<Program> parse(std::string_view text, std::string_view name);
/// The text of a program whose variables have 64 bits; parse() makes one of it that does the same. Arithmetic that wraps is written
/// like other.
std::string print(const Program &program);

}  // namespace mog::usimd
