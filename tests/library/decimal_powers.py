#!/usr/bin/env python3
"""decimal_powers.py: are the powers in runtime_pe/libc/decimal/decimal_powers.c what they are said to be? --print prints the rows.

Also what decimal.h and digits.h take for granted about their constants, for every number that they are used for.
Status: 0 all is so, 1 something is not.
"""
import re
import sys
from pathlib import Path

DECIMAL = Path(__file__).resolve().parent.parent.parent / "runtime_pe" / "libc" / "decimal"
LOWEST, HIGHEST, STEP = -336, 363, 28


def ratio(tens):
    return (10 ** tens, 1) if tens >= 0 else (1, 10 ** -tens)


def floor_log2(tens):
    above, below = ratio(tens)
    guess = above.bit_length() - below.bit_length()
    return guess if above << max(0, -guess) >= below << max(0, guess) else guess - 1


def upper_bits(tens, bits):
    """The topmost bits of 10^tens, rounded down."""
    above, below = ratio(tens)
    shift = bits - 1 - floor_log2(tens)
    return (above << max(0, shift)) // (below << max(0, -shift))


def main():
    rows = {tens: upper_bits(tens, 128) for tens in range(LOWEST, HIGHEST + 1, STEP)}
    if "--print" in sys.argv:
        for tens, bits in rows.items():
            print(f"    {{0x{bits >> 64:016x}, 0x{bits & (1 << 64) - 1:016x}}},   // 10^{tens}")
        return 0
    source = (DECIMAL / "decimal_powers.c").read_text()
    found = [(int(tens), int(high, 16) << 64 | int(low, 16)) for high, low, tens in re.findall(r"\{0x(\w+), 0x(\w+)\},\s*// 10\^(-?\d+)", source)]
    fives = [int(number) for number in re.findall(r"\b(\d+)u(?:ll)?\b", source.split("__mog_fives")[1].split("}")[0])]
    problems = []
    if found != list(rows.items()):
        problems.append("the powers of ten are others; --print prints them")
    if fives != [5 ** exponent for exponent in range(STEP)] or fives[-1] >= 1 << 64:
        problems.append("the powers of five are others")
    # As __mog_power makes them: at most 4 units too small.
    for tens in range(LOWEST, HIGHEST + 1):
        index, rest = divmod(tens - LOWEST, STEP)
        five = 5 ** rest << 64 - (5 ** rest).bit_length()
        power = five << 64
        if index != -LOWEST // STEP:
            power = rows[LOWEST + index * STEP] * five >> 64 if rest else rows[tens]
            power = power if power >> 127 else power * 2
        if not 0 <= upper_bits(tens, 128 + 8) - (power << 8) < 4 << 8:
            problems.append(f"10^{tens} is wrong by more than 4 units")
        if tens * 217706 >> 16 != floor_log2(tens):
            problems.append(f"power_log2({tens}) is wrong")
    # 0x44b82fa09b5a53 / 2^75 is too large by less than one part in 2^55 of a unit; so is 268436 / 2^28 for 10,000 numbers.
    if not 0 < 0x44B82FA09B5A53 * 5 ** 9 - 2 ** 75 <= 2 ** 20:
        problems.append("over_billion()'s factor is wrong")
    for value in range(10000):
        fraction, digits = value * 268436, 0
        for shift in (28, 27, 26, 25):
            digits = digits * 10 + (fraction >> shift)
            fraction = (fraction & (1 << shift) - 1) * 5
        if digits != value:
            problems.append(f"four_digits() makes {digits} of {value}")
    print("\n".join(problems) or f"{HIGHEST - LOWEST + 1} powers of ten are right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
