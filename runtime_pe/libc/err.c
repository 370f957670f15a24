/* err.c: messages about errors, in BSD's form (<err.h>) and in glibc's (<error.h>). */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_pe/system/program.h"
#include "unbuffered.h"

static void say(int number, const char *format, va_list arguments) {
    struct __mog_gathered message;
    FILE *to = __mog_gather(&message, __mog_stderr());
    fprintf(to, "%s: ", short_program_name());
    if (format) vfprintf(to, format, arguments);
    if (number >= 0) fprintf(to, "%s%s", format ? ": " : "", strerror(number));
    fputc('\n', to);
    __mog_write_gathered(&message);
}

void vwarn(const char *format, va_list arguments) { say(errno, format, arguments); }
void vwarnx(const char *format, va_list arguments) { say(-1, format, arguments); }

void verr(int status, const char *format, va_list arguments) {
    say(errno, format, arguments);
    exit(status);
}
void verrx(int status, const char *format, va_list arguments) {
    say(-1, format, arguments);
    exit(status);
}

#define PASS_ON(call)            \
    va_list arguments;           \
    va_start(arguments, format); \
    call;                        \
    va_end(arguments)

void warn(const char *format, ...) { PASS_ON(vwarn(format, arguments)); }
void warnx(const char *format, ...) { PASS_ON(vwarnx(format, arguments)); }
void err(int status, const char *format, ...) { PASS_ON(verr(status, format, arguments)); }
void errx(int status, const char *format, ...) { PASS_ON(verrx(status, format, arguments)); }

/* ---- error.h ---- */

void (*error_print_progname)(void);
unsigned error_message_count;
int error_one_per_line;

static void say_error(int status, int number, const char *file, unsigned line, const char *format, va_list arguments) {
    fflush(stdout);
    struct __mog_gathered message;
    if (error_print_progname) error_print_progname();
    FILE *to = __mog_gather(&message, __mog_stderr());
    if (!error_print_progname) fprintf(to, "%s:%s", __mog_program, file ? "" : " ");
    if (file) fprintf(to, "%s:%u: ", file, line);
    vfprintf(to, format, arguments);
    if (number) fprintf(to, ": %s", strerror(number));
    fputc('\n', to);
    __mog_write_gathered(&message);
    ++error_message_count;
    if (status) exit(status);
}

void error(int status, int number, const char *format, ...) { PASS_ON(say_error(status, number, NULL, 0, format, arguments)); }

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
    static const char *last_file;
    static unsigned last_line;
    if (error_one_per_line && last_file && last_line == line && strcmp(last_file, file) == 0) return;
    last_file = file;
    last_line = line;
    PASS_ON(say_error(status, number, file, line, format, arguments));
}
