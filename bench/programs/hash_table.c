/* hash_table: memory-bound. 3000 numbers go into a table of 4096 places with open addressing, and are counted; then others are
 * looked for. 32 KiB per PE, read at random. */
#include "bench.h"

enum { places = 4096, inserted = 3000, asked = 6000 };

struct place { unsigned key, count; };

FUNCTION struct place *find(struct place *table, unsigned key)
{
    unsigned at = key * 2654435761u >> 20;
    while (table[at].key != 0 && table[at].key != key) at = (at + 1) & (places - 1);
    return &table[at];
}

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE struct place table[places];
    unsigned x = rank + 1, sum = 0;
    memset(table, 0, sizeof table);
    for (int i = 0; i < inserted; i++) {
        const unsigned key = (next_random(&x) >> 10 & 0xfff) + 1;
        struct place *const found = find(table, key);
        found->key = key;
        found->count++;
    }
    for (int i = 0; i < asked; i++) sum = sum * 3 + find(table, (next_random(&x) >> 10 & 0x1fff) + 1)->count;
    return sum;
}
