/* syslog.c: what a program logs, on standard error if it wants it there too (LOG_PERROR), as glibc writes it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "runtime_pe/system/program.h"
#include "unbuffered.h"

static const char *log_name;
static int log_options, log_mask = 0xff;

void openlog(const char *name, int options, int facility) {
    (void)facility; /* stands in what goes to a daemon */
    if (name) log_name = name;
    log_options = options;
}

void closelog(void) {
    log_name = NULL;
    log_options = 0;
}

int setlogmask(int mask) {
    const int before = log_mask;
    if (mask) log_mask = mask;
    return before;
}

void vsyslog(int priority, const char *format, va_list arguments) {
    const int error = errno;
    if (!(log_mask & LOG_MASK(LOG_PRI(priority))) || !(log_options & LOG_PERROR)) return;
    struct __mog_gathered message;
    FILE *to = __mog_gather(&message, __mog_stderr());
    fputs(log_name ? log_name : short_program_name(), to);
    if (log_options & LOG_PID) fprintf(to, "[%d]", (int)getpid());
    fputs(": ", to);
    /* newlib's printf does not know %m. */
    char *whole = NULL;
    size_t length = 0;
    FILE *known = open_memstream(&whole, &length);
    if (known) {
        for (const char *at = format; *at; ++at) {
            if (*at == '%' && at[1] == 'm') fputs(strerror(error), known), ++at;
            else if (putc(*at, known) == '%' && at[1]) putc(*++at, known);
        }
        fclose(known);
        vfprintf(to, whole, arguments);
        if (length == 0 || whole[length - 1] != '\n') putc('\n', to);
        free(whole);
    }
    __mog_write_gathered(&message);
    errno = error;
}

void syslog(int priority, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsyslog(priority, format, arguments);
    va_end(arguments);
}
