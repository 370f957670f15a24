/* poll.h: waiting for files and pipes. The numbers are those of Linux for MIPS. */
#ifndef _POLL_H
#define _POLL_H

#include <sys/_sigset.h>
#include <sys/cdefs.h>
#include <sys/types.h>
#include <signal.h>
#include <time.h>

#include <mog_abi/poll_event.h>
#define POLLWRNORM POLLOUT

typedef unsigned nfds_t;

struct pollfd {
    int fd;
    short events, revents;
};

__BEGIN_DECLS
int poll(struct pollfd *, nfds_t, int);
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const __sigset_t *);
__END_DECLS

#endif
