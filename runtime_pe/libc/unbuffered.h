/* unbuffered.h: several calls that print to a stream without a buffer, as one write. */
#include <stdio.h>

struct __mog_gathered {
    FILE fake, *stream;
    unsigned char buffer[1024];
    char *more;         /* what came before, where that is too small */
    size_t bytes, room; /* of `more` */
};

/* newlib makes its streams when the first one is used. */
FILE *__mog_stderr(void);
/* The stream to print to in place of `stream`. */
FILE *__mog_gather(struct __mog_gathered *, FILE *stream);
/* Writes what was printed. EOF: that failed, and `stream` has its error set. */
int __mog_write_gathered(struct __mog_gathered *);
