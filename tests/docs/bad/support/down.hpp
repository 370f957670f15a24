#include "mogcc/up.hpp"
#include "assembler/ir/ir.hpp"
