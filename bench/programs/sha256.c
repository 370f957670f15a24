/* sha256: convergent. SHA-256 (FIPS 180-4) of 4096 bytes, other ones for each PE. */
#include "bench.h"

CONSTANT unsigned round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

FUNCTION unsigned rotate(unsigned x, int by) { return x >> by | x << (32 - by); }

FUNCTION void block(unsigned *state, const unsigned char *bytes)
{
    unsigned w[64], s[8];
    for (int i = 0; i < 16; i++, bytes += 4)
        w[i] = (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
    for (int i = 16; i < 64; i++) {
        const unsigned s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        const unsigned s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    for (int i = 0; i < 8; i++) s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        const unsigned e = s[4], a = s[0];
        const unsigned choice = (e & s[5]) ^ (~e & s[6]);
        const unsigned t1 = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + round_constants[i] + w[i];
        const unsigned t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        s[7] = s[6], s[6] = s[5], s[5] = e, s[4] = s[3] + t1;
        s[3] = s[2], s[2] = s[1], s[1] = a, s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE unsigned char message[4096 + 64];
    unsigned state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned x = rank + 1;
    for (int i = 0; i < 4096; i += 4) {
        const unsigned word = next_random(&x);
        for (int k = 0; k < 4; k++) message[i + k] = (unsigned char)(word >> 8 * k);
    }
    memset(message + 4096, 0, 64);      /* the padding: a bit, zeroes, and the length in bits */
    message[4096] = 0x80;
    message[4096 + 62] = 0x80;
    for (int i = 0; i < 4096 + 64; i += 64) block(state, message + i);
    return state[0] ^ state[7];
}
