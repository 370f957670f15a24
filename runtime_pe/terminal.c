/* terminal.c: what can be asked of a terminal. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "calls.h"

int ioctl(int fd, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return CALL3(IOCTL, fd, request, argument);
}

int tcgetattr(int fd, struct termios *settings) { return CALL3(IOCTL, fd, TCGETS, settings); }
int tcsetattr(int fd, int when, const struct termios *settings) { return CALL3(IOCTL, fd, when, settings); }

/* A terminal is what has terminal settings. */
int isatty(int fd) {
    struct termios settings;
    return tcgetattr(fd, &settings) == 0;
}

/* Terminals have names, but not here. */
char *ttyname(int fd) {
    if (isatty(fd))
        errno = ENOSYS;
    return NULL;
}
