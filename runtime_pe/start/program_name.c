/* program_name.c: argv[0] under glibc's names, for programs that ask for them. */
#include <errno.h>
#include <string.h>

extern const char *__mog_program; /* start.c */

char *program_invocation_name, *program_invocation_short_name;

__attribute__((constructor(101))) static void set_names(void) {
    char *slash = strrchr(__mog_program, '/');
    program_invocation_name = (char *)__mog_program;
    program_invocation_short_name = slash ? slash + 1 : program_invocation_name;
}
