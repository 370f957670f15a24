/* poll.c: pipes, and waiting for files: poll, and select made of it. */
#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime_pe/system/calls.h"

LINUX_SAME_SIZE(struct pollfd, linux_pollfd);
LINUX_SAME_PLACE(struct pollfd, revents, linux_pollfd, revents);

int pipe2(int ends[2], int flags) { return CALL2(pipe2, ends, linux_open_flags(flags)); }
int pipe(int ends[2]) { return pipe2(ends, 0); }

int poll(struct pollfd *files, nfds_t count, int milliseconds) { return CALL3(poll, files, count, milliseconds); }

/* Rounded up: it never returns early. The signal mask has nothing to hold back. */
int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *mask) {
    (void)mask;
    if (!time) return poll(files, count, -1);
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec > 999999999) {
        errno = EINVAL;
        return -1;
    }
    long long milliseconds = (long long)time->tv_sec * 1000 + (time->tv_nsec + 999999) / 1000000;
    return poll(files, count, milliseconds > 0x7fffffff ? 0x7fffffff : (int)milliseconds);
}

int pselect(int count, fd_set *in, fd_set *out, fd_set *special, const struct timespec *time, const sigset_t *mask) {
    struct pollfd files[FD_SETSIZE];
    nfds_t used = 0;
    if (count < 0 || count > FD_SETSIZE) {
        errno = EINVAL;
        return -1;
    }
    for (int fd = 0; fd < count; ++fd) {
        short events = (in && FD_ISSET(fd, in) ? POLLIN : 0) | (out && FD_ISSET(fd, out) ? POLLOUT : 0) |
                       (special && FD_ISSET(fd, special) ? POLLPRI : 0);
        if (events) files[used++] = (struct pollfd){fd, events, 0};
    }
    if (ppoll(files, used, time, mask) < 0) return -1;
    for (nfds_t i = 0; i < used; ++i)
        if (files[i].revents & POLLNVAL) {
            errno = EBADF;
            return -1;
        }
    int ready = 0;
    for (nfds_t i = 0; i < used; ++i) {
        int fd = files[i].fd;
        struct {
            fd_set *set;
            short asked, means;
        } kinds[] = {{in, POLLIN, POLLIN | POLLHUP | POLLERR}, {out, POLLOUT, POLLOUT | POLLERR}, {special, POLLPRI, POLLPRI}};
        for (int k = 0; k < 3; ++k) {
            if (!(files[i].events & kinds[k].asked)) continue;
            if (files[i].revents & kinds[k].means) ++ready;
            else FD_CLR(fd, kinds[k].set);
        }
    }
    return ready;
}

int select(int count, fd_set *in, fd_set *out, fd_set *special, struct timeval *time) {
    if (!time) return pselect(count, in, out, special, NULL, NULL);
    struct timespec exact = {time->tv_sec, (long)time->tv_usec * 1000};
    return pselect(count, in, out, special, &exact, NULL);
}
