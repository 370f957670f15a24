/* image.c: reads an image file: its header, its table of sections, and of those what a launch needs. */
#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 32, ROW = 24 };

static uint32_t word(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long end = ftell(file);
        rewind(file);
        if (end >= 0 && (bytes = malloc((size_t)end + 1)) != NULL) {
            *size = fread(bytes, 1, (size_t)end, file);
            bytes[*size] = 0;
        }
    }
    if (file) fclose(file);
    if (!bytes) fprintf(stderr, "cannot read %s\n", path);
    return bytes;
}

int read_image(const char *path, struct image *image)
{
    size_t size = 0;
    memset(image, 0, sizeof *image);
    image->file = read_file(path, &size);
    if (!image->file) return 0;
    struct section head = {NULL, 0}, registers = {NULL, 0};
    const struct {
        const char *name;
        struct section *section;
    } wanted[] = {{"head", &head}, {"regs", &registers}, {"text", &image->text}, {"cpool", &image->cpool}, {"codemap", &image->codemap}, {"data", &image->data}, {"symbols", &image->symbols}};
    const unsigned char *file = image->file;
    int found = 0;
    if (size >= HEADER && memcmp(file, "MOGIMAGE", 8) == 0 && word(file + 12) <= (size - HEADER) / ROW)
        for (uint32_t i = 0; i < word(file + 12); i++) {
            const unsigned char *row = file + HEADER + ROW * i;
            const size_t offset = word(row + 8), length = word(row + 16);
            for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
                if (strncmp((const char *)row, wanted[k].name, 8) == 0 && offset <= size && length <= size - offset) {
                    wanted[k].section->bytes = file + offset;
                    wanted[k].section->size = length;
                    found++;
                }
        }
    if (found != sizeof wanted / sizeof *wanted || head.size < 16 || registers.size < 4) {
        fprintf(stderr, "%s is not an image of this version of MOG\n", path);
        return 0;
    }
    image->entry = word(head.bytes + 4);
    image->registers = word(registers.bytes);
    return 1;
}

uint32_t find_symbol(const struct image *image, const char *name)
{
    const unsigned char *at = image->symbols.bytes, *end = at + image->symbols.size;
    at += 4; /* how many there are */
    while (end - at >= 16) {
        const uint32_t address = word(at), is_code = word(at + 8), length = word(at + 12);
        if ((size_t)(end - at - 16) < length) break;
        if (!is_code && length == strlen(name) && memcmp(at + 16, name, length) == 0) return address;
        at += 16 + length;
    }
    return 0;
}
