/* every_instruction_main.c: the driver of the program that every_instruction.py writes: `tests` is defined above.
 * Operands: integers at the edges, and bit patterns that are edges as floats and as doubles: zeros, denormals, infinities,
 * quiet and signalling NaNs of MIPS (whose quiet bit means the reverse), halfway cases of rounding to integers. */
static const unsigned words[] = {0, 1, 0xffffffffu, 0x7fffffffu, 0x80000000u, 0x12345678u, 0x89abcdefu, 31, 0x0000ff80u};
static const unsigned floats[] = {0, 0x80000000u, 1, 0x807fffffu, 0x3f800000u, 0x40490fdbu, 0xc0200000u, 0x3fc00000u,
                                  0x7f800000u, 0xff800000u, 0x7fbfffffu, 0x7fc00000u, 0xffa12345u, 0x7f7fffffu, 0x4f000000u, 0xcf000001u};
static const unsigned long long doubles[] = {0, 0x8000000000000000ull, 1, 0x000fffffffffffffull, 0x3ff0000000000000ull,
    0x400921fb54442d18ull, 0xc004000000000000ull, 0x3ff8000000000000ull, 0x7ff0000000000000ull, 0xfff0000000000000ull,
    0x7ff7ffffffffffffull, 0x7ff8000000000000ull, 0xfff4123456789abcull, 0x7fefffffffffffffull, 0x41e0000000000000ull, 0xc1e0000000200000ull,
    0x36a0000000000000ull, 0x3ff0000010000000ull};
/* With FCSR: in each rounding mode, and the flags that an instruction raises are part of its result. (Of causes, MOG shows only those
 * of the last of several operations, as in madd.) */
#ifdef FCSR
#define BEFORE(round) __asm__ volatile("ctc1 %0,$31" : : "r"((round) / 5 & 3))
#define AFTER(hash) do { unsigned f_; __asm__ volatile("cfc1 %0,$31" : "=r"(f_)); hash = (hash ^ (f_ & 0x7f)) * 16777619u; } while (0)
#else
#define BEFORE(round) (void)0
#define AFTER(hash) (void)0
#endif
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

int main(void)
{
    unsigned seed = 1;
    for (unsigned i = 0; i < COUNT(tests); i++) {
        unsigned hash = 2166136261u;
        for (unsigned round = 0; round < 300; round++) {
            state s;
            for (unsigned k = 0; k < 24; k++) s[k] = (seed = seed * 1664525u + 1013904223u) >> (seed >> 28 & 1 ? 0 : 7);
            s[0] = words[round % COUNT(words)];
            s[1] = words[round / 9 % COUNT(words)];
            s[2] = words[(round / 3 + round) % COUNT(words)];
            if (round & 1) {
                for (unsigned k = 0; k < 8; k += 2) s[6 + k] = floats[(round * 5 + k * 7) % COUNT(floats)];
                s[8] = floats[round / 2 % COUNT(floats)];
                s[10] = floats[round / 32 % COUNT(floats)];
            } else {
                unsigned long long d = doubles[round / 2 % COUNT(doubles)], e = doubles[round / 20 % COUNT(doubles)];
                memcpy(s + 8, &d, 8);
                memcpy(s + 10, &e, 8);
                if (round % 3 == 0) {
                    d = doubles[round % COUNT(doubles)];
                    memcpy(s + 12, &d, 8);
                }
            }
            BEFORE(round);
            tests[i].run(s);
            AFTER(hash);
            for (unsigned k = 0; k < 24; k++) hash = (hash ^ s[k]) * 16777619u;
        }
        printf("%3u %-16s %08x\n", i, tests[i].name, hash);
    }
    return 0;
}
