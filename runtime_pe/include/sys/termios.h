/* sys/termios.h: a terminal's settings as Linux for MIPS has them, for newlib's <termios.h>. They can be read only. */
#ifndef _SYS_TERMIOS_H
#define _SYS_TERMIOS_H

#include <sys/cdefs.h>

typedef unsigned tcflag_t;
typedef unsigned speed_t;
typedef unsigned char cc_t;

#include <mog_abi/termios.h>

struct termios {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_line, c_cc[NCCS];
};

#define TCIFLUSH 0
#define TCOFLUSH 1
#define TCIOFLUSH 2
#include <mog_abi/termios_set.h>

__BEGIN_DECLS
int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);
int tcdrain(int);
int tcflush(int, int);
int tcflow(int, int);
int tcsendbreak(int, int);
speed_t cfgetispeed(const struct termios *);
speed_t cfgetospeed(const struct termios *);
int cfsetispeed(struct termios *, speed_t);
int cfsetospeed(struct termios *, speed_t);
void cfmakeraw(struct termios *);
__END_DECLS

#endif
