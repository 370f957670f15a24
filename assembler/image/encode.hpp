// encode.hpp: a MOG program as an image: instruction words, constant pool, code map.
#pragma once

#include "assembler/image/image.hpp"
#include "assembler/ir/mog_program.hpp"
#include "support/result.hpp"

namespace mog {

/// Lays out the blocks in their order, resolves labels, finds a place for every constant. Literal: no instruction is
/// added or left out. The same program gives the same image. Roles without a register get one; DATA gets a control
/// block and whole words. Error: which instruction of which block cannot be encoded, and why.
Result<Image> encode(const MogProgram &program);

/// The program that an image was made from: encode(disassemble(image)) is `image` again, products apart.
MogProgram disassemble(const Image &image);

}  // namespace mog
