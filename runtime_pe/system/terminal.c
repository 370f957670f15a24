/* terminal.c: what can be asked of a terminal. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "calls.h"

LINUX_SAME_SIZE(struct termios, linux_termios);
LINUX_SAME_PLACE(struct termios, c_cc, linux_termios, cc);
LINUX_SAME_SIZE(struct winsize, linux_winsize);
LINUX_SAME_PLACE(struct winsize, ws_col, linux_winsize, col);

int ioctl(int fd, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (request == FIONBIO) { /* one of O_NONBLOCK's two ways to the system is enough */
        int flags = fcntl(fd, F_GETFL);
        return flags < 0 ? -1 : fcntl(fd, F_SETFL, *(const int *)argument ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
    }
    return CALL3(ioctl, fd, request, argument);
}

int tcgetattr(int fd, struct termios *settings) { return CALL3(ioctl, fd, TCGETS, settings); }
int tcsetattr(int fd, int when, const struct termios *settings) { return CALL3(ioctl, fd, when, settings); }

/* What is written is not held back, and lines have no speed of their own to set. */
int tcdrain(int fd) { return isatty(fd) ? 0 : -1; }
int tcflush(int fd, int what) { return (void)what, isatty(fd) ? 0 : -1; }
int tcflow(int fd, int what) { return (void)what, isatty(fd) ? 0 : -1; }
int tcsendbreak(int fd, int length) { return (void)length, isatty(fd) ? 0 : -1; }
speed_t cfgetospeed(const struct termios *settings) { return settings->c_cflag & CBAUD; }
speed_t cfgetispeed(const struct termios *settings) { return cfgetospeed(settings); }
int cfsetospeed(struct termios *settings, speed_t speed) {
    settings->c_cflag = (settings->c_cflag & ~(tcflag_t)CBAUD) | speed;
    return 0;
}
int cfsetispeed(struct termios *settings, speed_t speed) { return speed ? cfsetospeed(settings, speed) : 0; }
void cfmakeraw(struct termios *settings) {
    settings->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
    settings->c_oflag &= ~(tcflag_t)OPOST;
    settings->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    settings->c_cflag = (settings->c_cflag & ~(tcflag_t)(CSIZE | PARENB)) | CS8;
    settings->c_cc[VMIN] = 1;
    settings->c_cc[VTIME] = 0;
}

/* A terminal is what has terminal settings. */
int isatty(int fd) {
    struct termios settings;
    return tcgetattr(fd, &settings) == 0;
}

/* Terminals have names, but not here. */
char *ttyname(int fd) {
    if (isatty(fd)) errno = ENOSYS;
    return NULL;
}
