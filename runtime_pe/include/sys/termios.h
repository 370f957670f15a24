/* sys/termios.h: a terminal's settings as Linux for MIPS has them, for newlib's <termios.h>. They can be read only. */
#ifndef _SYS_TERMIOS_H
#define _SYS_TERMIOS_H

#include <sys/cdefs.h>

typedef unsigned tcflag_t;
typedef unsigned speed_t;
typedef unsigned char cc_t;

#define NCCS 23
struct termios {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_line, c_cc[NCCS];
};

#define VINTR 0
#define VQUIT 1
#define VERASE 2
#define VKILL 3
#define VMIN 4
#define VTIME 5
#define VEOF 16
#define BRKINT 0000002
#define INPCK 0000020
#define ISTRIP 0000040
#define INLCR 0000100
#define IGNCR 0000200
#define ICRNL 0000400
#define IXON 0002000
#define OPOST 0000001
#define ONLCR 0000004
#define CS8 0000060
#define CREAD 0000200
#define ISIG 0000001
#define ICANON 0000002
#define ECHO 0000010
#define ECHOE 0000020
#define ECHOK 0000040
#define ECHONL 0000100
#define NOFLSH 0000200
#define IEXTEN 0000400
#define IGNBRK 0000001
#define PARMRK 0000010
#define CSIZE 0000060
#define CSTOPB 0000100
#define PARENB 0000400
#define CBAUD 0010017
#define B0 0000000
#define B9600 0000015
#define B38400 0000017
#define TCIFLUSH 0
#define TCOFLUSH 1
#define TCIOFLUSH 2
#define TCSANOW 0x540e
#define TCSADRAIN 0x540f
#define TCSAFLUSH 0x5410

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
