/* poll.h: waiting for files and pipes. The numbers are those of Linux for MIPS. */
#ifndef _POLL_H
#define _POLL_H

#include <sys/cdefs.h>
#include <sys/types.h>
#include <signal.h>
#include <time.h>

#define POLLIN 0x0001
#define POLLPRI 0x0002
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020
#define POLLRDNORM 0x0040
#define POLLRDBAND 0x0080
#define POLLWRNORM POLLOUT
#define POLLWRBAND 0x0100

typedef unsigned nfds_t;

struct pollfd {
    int fd;
    short events, revents;
};

__BEGIN_DECLS
int poll(struct pollfd *, nfds_t, int);
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
__END_DECLS

#endif
