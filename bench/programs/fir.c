/* fir: convergent. A filter of 32 taps in fixed point (Q15) over 1024 samples of a signal that differs from PE to PE. */
#include "bench.h"

enum { taps = 32, samples = 1024 };

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE short signal[samples + taps], filtered[samples];
    int coefficients[taps];
    unsigned x = rank + 1, sum = 0;
    for (int k = 0; k < taps; k++) coefficients[k] = (k + 1) * (taps - k) * 24 - k * k * 3;
    for (int i = 0; i < samples + taps; i++) signal[i] = (short)(next_random(&x) & 0xffff);
    for (int i = 0; i < samples; i++) {
        int value = 1 << 14;
        for (int k = 0; k < taps; k++) value += (coefficients[k] * signal[i + k]) >> 4;
        value >>= 15;
        filtered[i] = (short)(value > 32767 ? 32767 : value < -32768 ? -32768 : value);
    }
    for (int i = 0; i < samples; i++) sum = sum * 31 + (unsigned short)filtered[i];
    return sum;
}
