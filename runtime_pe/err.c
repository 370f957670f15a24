/* err.c: messages about errors. */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char *__mog_program;       /* start.c */

static void say(int number, const char *format, va_list arguments) {
    const char *slash = strrchr(__mog_program, '/');
    fprintf(stderr, "%s: ", slash ? slash + 1 : __mog_program);
    if (format)
        vfprintf(stderr, format, arguments);
    if (number >= 0)
        fprintf(stderr, "%s%s", format ? ": " : "", strerror(number));
    fputc('\n', stderr);
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

#define PASS_ON(call)             \
    va_list arguments;            \
    va_start(arguments, format);  \
    call;                         \
    va_end(arguments)

void warn(const char *format, ...) { PASS_ON(vwarn(format, arguments)); }
void warnx(const char *format, ...) { PASS_ON(vwarnx(format, arguments)); }
void err(int status, const char *format, ...) { PASS_ON(verr(status, format, arguments)); }
void errx(int status, const char *format, ...) { PASS_ON(verrx(status, format, arguments)); }
