/* line.h: what comes in: measurements as text. The host and PEs have the same. */
#ifndef LINE_H
#define LINE_H

#include <stdio.h>

enum { LINES = 5000 };
struct line {
    char text[32];
};

/* Line i of the stream. Some are no measurements, and some cannot be true. */
static inline struct line line_of(unsigned i) {
    struct line line = {{0}};
    const unsigned random = i * 2654435761u >> 8;
    if (i % 97 == 5) snprintf(line.text, sizeof line.text, "# %u", i);
    else snprintf(line.text, sizeof line.text, "%c %d", (int)('A' + random % 4), (int)(random / 4 % 150) - 40);
    return line;
}

#endif
