/* decimal_powers.c: powers of ten of 128 bits from -336 to 363, in 624 bytes: every PE of a program that prints or reads doubles has them
 * in its memory. Every 28th is there (Ulf Adams' small tables do so too, "Ryu: Fast Float-to-String Conversion", PLDI 2018), the others
 * are its product with a power of five that 64 bits hold. tests/library/decimal_powers.py says what the rows have to be. */
#include "runtime_pe/libc/decimal/decimal.h"

const uint64_t __mog_fives[EXACT_POWERS] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625ull,
    30517578125ull,
    152587890625ull,
    762939453125ull,
    3814697265625ull,
    19073486328125ull,
    95367431640625ull,
    476837158203125ull,
    2384185791015625ull,
    11920928955078125ull,
    59604644775390625ull,
    298023223876953125ull,
    1490116119384765625ull,
    7450580596923828125ull,
};

/* Rounded down. */
static const struct wide twenty_eighth[] = {
    {0xe3e27a444d8d98b7, 0xfd1b1b2308169b25},  // 10^-336
    {0xe61acf033d1a45df, 0x6fb92487298e33bd},  // 10^-308
    {0xe858ad248f5c22c9, 0xd1b3400f8f9cff68},  // 10^-280
    {0xea9c227723ee8bcb, 0x465e15a979c1cadc},  // 10^-252
    {0xece53cec4a314ebd, 0xa4f8bf5635246428},  // 10^-224
    {0xef340a98172aace4, 0x86fb897116c87c34},  // 10^-196
    {0xf18899b1bc3f8ca1, 0xdc44e6c3cb279ac1},  // 10^-168
    {0xf3e2f893dec3f126, 0x5a89dba3c3efccfa},  // 10^-140
    {0xf64335bcf065d37d, 0x4d4617b5ff4a16d5},  // 10^-112
    {0xf8a95fcf88747d94, 0x75a44c6397ce912a},  // 10^-84
    {0xfb158592be068d2e, 0xeed6e2f0f0d56712},  // 10^-56
    {0xfd87b5f28300ca0d, 0x8bca9d6e188853fc},  // 10^-28
    {0x8000000000000000, 0x0000000000000000},  // 10^0
    {0x813f3978f8940984, 0x4000000000000000},  // 10^28
    {0x82818f1281ed449f, 0xbff8f10e7a8921a4},  // 10^56
    {0x83c7088e1aab65db, 0x792667c6da79e0fa},  // 10^84
    {0x850fadc09923329e, 0x03e2cf6bc604ddb0},  // 10^112
    {0x865b86925b9bc5c2, 0x0b8a2392ba45a9b2},  // 10^140
    {0x87aa9aff79042286, 0x90fb44d2f05d0842},  // 10^168
    {0x88fcf317f22241e2, 0x441fece3bdf81f03},  // 10^196
    {0x8a5296ffe33cc92f, 0x82bd6b70d99aaa6f},  // 10^224
    {0x8bab8eefb6409c1a, 0x1ad089b6c2f7548e},  // 10^252
    {0x8d07e33455637eb2, 0xdb0b487b6423e1e8},  // 10^280
    {0x8e679c2f5e44ff8f, 0x570f09eaa7ea7648},  // 10^308
    {0x8fcac257558ee4e6, 0x213a4f0aa5e8a7b1},  // 10^336
};

struct wide __mog_power(int exponent) {
    const unsigned index = (unsigned)(exponent - POWER_MIN) / EXACT_POWERS, rest = (unsigned)(exponent - POWER_MIN) - index * EXACT_POWERS;
    const uint64_t five = __mog_fives[rest];
    const unsigned zeros = leading_zeros(five);
    struct wide power = {five << zeros, 0};
    if (index != -POWER_MIN / EXACT_POWERS) {
        const struct wide row = twenty_eighth[index];
        if (rest == 0) return row;
        power = upper_product(row, power.high);
        if ((int64_t)power.high >= 0) {
            power.high = power.high << 1 | power.low >> 63;
            power.low <<= 1;
        }
    }
    return power;
}
