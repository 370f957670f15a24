/* sockets.c: the calls of <sys/socket.h>. A PE is in no network, so it gets no socket: as on a Linux without this kind of network, with
 * EAFNOSUPPORT, and MOG says once that there was a call. What wants a socket finds that what it was given is none. */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

#include "runtime_pe/system/calls.h"

static int none(int result) {
    if (result < 0 && errno == ENOSYS) errno = EAFNOSUPPORT;
    return result;
}
int socket(int family, int type, int protocol) { return none(CALL3(socket, family, type, protocol)); }
int socketpair(int family, int type, int protocol, int ends[2]) { return none(CALL4(socketpair, family, type, protocol, ends)); }

static int is_no_socket(int fd) {
    if (fcntl(fd, F_GETFD) >= 0) errno = ENOTSOCK;
    return -1;
}
int bind(int fd, const struct sockaddr *address, socklen_t bytes) { return (void)address, (void)bytes, is_no_socket(fd); }
int listen(int fd, int backlog) { return (void)backlog, is_no_socket(fd); }
int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes) { return (void)address, (void)bytes, is_no_socket(fd); }
int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes, int flags) {
    return (void)flags, accept(fd, address, bytes);
}
int connect(int fd, const struct sockaddr *address, socklen_t bytes) { return (void)address, (void)bytes, is_no_socket(fd); }
int shutdown(int fd, int how) { return (void)how, is_no_socket(fd); }
int getsockname(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes) { return accept(fd, address, bytes); }
int getpeername(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes) { return accept(fd, address, bytes); }
int getsockopt(int fd, int level, int option, void *restrict value, socklen_t *restrict bytes) {
    return (void)level, (void)option, (void)value, (void)bytes, is_no_socket(fd);
}
int setsockopt(int fd, int level, int option, const void *value, socklen_t bytes) {
    return (void)level, (void)option, (void)value, (void)bytes, is_no_socket(fd);
}
ssize_t sendto(int fd, const void *data, size_t bytes, int flags, const struct sockaddr *to, socklen_t to_bytes) {
    return (void)data, (void)bytes, (void)flags, (void)to, (void)to_bytes, is_no_socket(fd);
}
ssize_t send(int fd, const void *data, size_t bytes, int flags) { return sendto(fd, data, bytes, flags, NULL, 0); }
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) { return (void)message, (void)flags, is_no_socket(fd); }
ssize_t recvfrom(int fd, void *restrict data, size_t bytes, int flags, struct sockaddr *restrict from, socklen_t *restrict from_bytes) {
    return (void)data, (void)bytes, (void)flags, (void)from, (void)from_bytes, is_no_socket(fd);
}
ssize_t recv(int fd, void *data, size_t bytes, int flags) { return recvfrom(fd, data, bytes, flags, NULL, NULL); }
ssize_t recvmsg(int fd, struct msghdr *message, int flags) { return (void)message, (void)flags, is_no_socket(fd); }
int sockatmark(int fd) { return is_no_socket(fd); }

struct cmsghdr *__mog_next_control(const struct msghdr *message, const struct cmsghdr *header) {
    const char *const end = (const char *)message->msg_control + message->msg_controllen;
    const char *const next = (const char *)header + CMSG_ALIGN(header->cmsg_len);
    if (header->cmsg_len < sizeof *header || end < next || (size_t)(end - next) < sizeof *header) return NULL;
    return (struct cmsghdr *)(uintptr_t)next;
}
