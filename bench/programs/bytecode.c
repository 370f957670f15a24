/* bytecode: divergent. An interpreter of a small register machine, in each PE with a program of its own, made at random:
 * straight pieces of 3 to 10 instructions, each repeated some times by a loop instruction. */
#include "bench.h"

enum Opcode { add, subtract, multiply, exclusive_or, shift_left, shift_right, load, store, load_constant, less, skip_if, loop, opcodes };
enum { pieces = 24, longest = pieces * 12, steps = 16000 };

struct instruction { unsigned char opcode, target, left, right; };

/* The number of instructions. A loop's count is in `left`, its length in `right`. */
FUNCTION int make_program(struct instruction *code, unsigned seed)
{
    int length = 0;
    for (int piece = 0; piece < pieces; piece++) {
        const int straight = 3 + (int)((next_random(&seed) >> 8) % 8);
        for (int i = 0; i < straight; i++) {
            const unsigned bits = next_random(&seed);
            struct instruction *now = &code[length++];
            now->opcode = (unsigned char)((bits >> 16) % (i + 2 < straight ? loop : skip_if));     /* nobody skips the loop */
            now->target = bits & 7;
            now->left = bits >> 3 & 7;
            now->right = bits >> 6 & 7;
        }
        code[length].opcode = loop;
        code[length].target = 0;
        code[length].left = (unsigned char)(2 + (next_random(&seed) >> 8) % 20);
        code[length++].right = (unsigned char)straight;
    }
    return length;
}

FUNCTION unsigned interpret(const struct instruction *code, int length, unsigned *memory)
{
    unsigned r[8] = {1, 2, 3, 5, 7, 11, 13, 17}, sum = 0;
    int pc = 0, rounds = 0;
    for (int step = 0; step < steps; step++) {
        const struct instruction *now = &code[pc];
        const unsigned a = r[now->left & 7], b = r[now->right & 7];
        unsigned *target = &r[now->target];
        pc++;
        switch (now->opcode) {
        case add: *target = a + b; break;
        case subtract: *target = a - b; break;
        case multiply: *target = a * b; break;
        case exclusive_or: *target = a ^ b; break;
        case shift_left: *target = a << (b & 31); break;
        case shift_right: *target = a >> (b & 31); break;
        case load: *target = memory[a & 63]; break;
        case store: memory[b & 63] = a; break;
        case load_constant: *target = (unsigned)pc * 2654435761u; break;
        case less: *target = a < b; break;
        case skip_if: pc += a < b; break;
        case loop:
            if (++rounds < now->left) pc -= now->right + 1;
            else rounds = 0;
            break;
        }
        if (pc == length) {
            pc = 0;
            sum = sum * 31 + r[0] + r[7];
        }
    }
    for (int i = 0; i < 8; i++) sum = sum * 31 + r[i];
    return sum;
}

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE struct instruction code[longest];
    PRIVATE unsigned memory[64];
    for (unsigned i = 0; i < 64; i++) memory[i] = i * 40503u + rank;
    const int length = make_program(code, rank + 1);
    return interpret(code, length, memory);
}
