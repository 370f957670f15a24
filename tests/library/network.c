/* network.c: what a PE knows of a network, of which it has none. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static void look_up(const char *host, const char *service, int flags, int family, int type) {
    struct addrinfo wanted = {.ai_flags = flags, .ai_family = family, .ai_socktype = type}, *found = NULL;
    const int result = getaddrinfo(host, service, &wanted, &found);
    printf("%s:%s", host ? host : "-", service ? service : "-");
    if (result) printf(" %s", gai_strerror(result));
    for (struct addrinfo *each = found; each; each = each->ai_next) {
        char name[NI_MAXHOST], port[NI_MAXSERV];
        const int failed = getnameinfo(each->ai_addr, each->ai_addrlen, name, sizeof name, port, sizeof port, NI_NUMERICHOST);
        printf(" %d/%s/%s/%s/%s", failed, name, port, each->ai_socktype == SOCK_STREAM ? "stream" : each->ai_socktype == SOCK_DGRAM ? "datagram" : "raw",
               each->ai_canonname ? each->ai_canonname : "");
    }
    putchar('\n');
    freeaddrinfo(found);
}

int main(void) {
    look_up("10.1.2.3", "8080", AI_NUMERICHOST | AI_NUMERICSERV, 0, SOCK_STREAM);
    look_up("fe80::1", NULL, AI_CANONNAME, AF_UNSPEC, 0);
    look_up(NULL, "80", AI_PASSIVE, AF_UNSPEC, SOCK_DGRAM);
    look_up("localhost", "80", 0, AF_UNSPEC, SOCK_STREAM);
    look_up("localhost", "80", AI_NUMERICHOST, 0, SOCK_STREAM);
    look_up("::1", "80", 0, AF_INET, SOCK_STREAM);
    look_up("a.name", "80", 0, 0, 0);
    look_up("1.2.3.4", "http", 0, 0, 0);
    look_up("1.2.3.4", "80", 0, 0, 77);
    look_up("1.2.3.4", "80", 0, 77, 0);
    const struct hostent *host = gethostbyname("127.0.0.1");
    printf("%s %s\n", host->h_name, inet_ntoa(*(struct in_addr *)host->h_addr));
    printf("%d %s\n", gethostbyname("a.name") == NULL, hstrerror(h_errno));
    printf("%d %s\n", getprotobyname("tcp")->p_proto, getprotobynumber(17)->p_name);

    printf("%d", socket(AF_INET, SOCK_STREAM, 0));
    printf(" %s\n", strerror(errno));
    int ends[2];
    printf("%d", socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    printf(" %s\n", strerror(errno));
    printf("%d", (int)send(1, "text", 4, MSG_NOSIGNAL));
    printf(" %s\n", strerror(errno));

    union {
        char bytes[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(7)];
        struct cmsghdr aligned;
    } control = {{0}};
    struct msghdr message = {.msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_len = CMSG_LEN(sizeof(int));
    struct cmsghdr *next = CMSG_NXTHDR(&message, header);
    printf("%d", next == (struct cmsghdr *)(control.bytes + CMSG_SPACE(sizeof(int))));
    next->cmsg_len = CMSG_LEN(7);
    printf(" %d\n", CMSG_NXTHDR(&message, next) == NULL);
    return 0;
}
