/* mandelbrot: nearly convergent, floats. A picture of 24 x 16 points, moved a little from PE to PE, so that neighbours leave
 * their loops at nearly the same time. */
#include "bench.h"

FUNCTION unsigned work(unsigned rank)
{
    const float left = -2.0f + (float)(rank % 1024) * 0.0001f;
    unsigned sum = 0;
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 24; column++) {
            const float cx = left + (float)column * 0.11f, cy = -1.1f + (float)row * 0.14f;
            float x = 0, y = 0;
            unsigned n = 0;
            while (n < 256) {
                const float xx = x * x, yy = y * y;
                if (xx + yy > 4.0f) break;
                y = 2 * x * y + cy;
                x = xx - yy + cx;
                n++;
            }
            sum = sum * 31 + n;
        }
    return sum;
}
