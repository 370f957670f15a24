/* sys/ioctl.h: what can be asked of a terminal. The numbers are those of Linux for MIPS. */
#ifndef _SYS_IOCTL_H
#define _SYS_IOCTL_H

#include <sys/cdefs.h>

#include <mog_abi/ioctl.h>

struct winsize {
    unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};

__BEGIN_DECLS
int ioctl(int, unsigned long, ...);
__END_DECLS

#endif
