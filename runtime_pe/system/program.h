/* program.h: how the program was called. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <string.h>

extern const char *__mog_program; /* argv[0]; start.c has it */

/* Without its folders. */
static inline const char *short_program_name(void) {
    const char *const slash = strrchr(__mog_program, '/');
    return slash ? slash + 1 : __mog_program;
}

#endif
