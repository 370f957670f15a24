/* nqueens: divergent. Solutions of the 9 queens by recursion over bit masks, on boards where some fields are forbidden,
 * other ones for each PE. */
#include "bench.h"

enum { size = 9, board = (1 << size) - 1 };

FUNCTION unsigned place(const unsigned char *forbidden, int row, unsigned columns, unsigned left, unsigned right)
{
    if (row == size) return 1;
    unsigned count = 0;
    unsigned open = board & ~(columns | left | right | forbidden[row]);
    while (open != 0) {
        const unsigned queen = open & -open;
        open ^= queen;
        count += place(forbidden, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return count;
}

FUNCTION unsigned work(unsigned rank)
{
    unsigned char forbidden[size];
    unsigned x = rank + 1;
    for (int row = 0; row < size; row++) forbidden[row] = (unsigned char)(1u << (next_random(&x) >> 8) % size);
    return place(forbidden, 0, 0, 0, 0);
}
