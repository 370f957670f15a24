/* image.h: what a host needs of an image file (docs/image.md). */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>
#include <stdint.h>

/* A section: bytes within the file, which stays in memory. */
struct section {
    const unsigned char *bytes;
    size_t size;
};

struct image {
    unsigned char *file;
    struct section text, cpool, codemap, data, symbols;
    uint32_t entry, registers;
};

/* 1, or 0 after a message. */
int read_image(const char *path, struct image *image);
/* The address of a variable; 0 if there is none of that name. */
uint32_t find_symbol(const struct image *image, const char *name);
/* All of a file, NUL behind it; NULL after a message. Freed by the caller. */
unsigned char *read_file(const char *path, size_t *size);

#endif
