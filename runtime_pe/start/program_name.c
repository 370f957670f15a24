/* program_name.c: argv[0] under glibc's names, for programs that ask for them. */
#include <errno.h>

#include "runtime_pe/system/program.h"

char *program_invocation_name, *program_invocation_short_name;

__attribute__((constructor(101))) static void set_names(void) {
    program_invocation_name = (char *)__mog_program;
    program_invocation_short_name = (char *)short_program_name();
}
