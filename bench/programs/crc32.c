/* crc32: convergent. CRC-32 of 8 KiB by a table that the program makes first, and of 2 KiB bit by bit. */
#include "bench.h"

enum { size = 8192 };

FUNCTION unsigned one_byte(unsigned crc)
{
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    return crc;
}

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE unsigned table[256];
    PRIVATE unsigned char bytes[size];
    unsigned x = rank + 1, by_table = ~0u, by_bits = ~0u;
    for (unsigned i = 0; i < 256; i++) table[i] = one_byte(i);
    for (int i = 0; i < size; i++) bytes[i] = (unsigned char)next_random(&x);
    for (int i = 0; i < size; i++) by_table = by_table >> 8 ^ table[(by_table ^ bytes[i]) & 0xff];
    for (int i = 0; i < size / 4; i++) by_bits = one_byte(by_bits ^ bytes[i]);
    return by_table + by_bits;
}
