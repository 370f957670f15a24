/* sieve_crc: convergent. A sieve of Eratosthenes and the CRC-32 of its flags: every PE does the same. */
#include <string.h>
#include "bench.h"

static unsigned char composite[4096];

unsigned work(unsigned rank)
{
    unsigned crc = 0xffffffffu, primes = 0;
    (void)rank;
    for (int repeat = 0; repeat < 1; repeat++) {
        memset(composite, 0, sizeof composite);
        primes = 0;
        for (int i = 2; i < 4096; i++) {
            if (composite[i]) continue;
            primes++;
            for (int k = 2 * i; k < 4096; k += i) composite[k] = 1;
        }
        for (int i = 0; i < 4096; i++) {
            crc ^= composite[i];
            for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
        }
    }
    return crc + primes;
}
