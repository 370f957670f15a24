/* ifaddrs.h: the addresses of this machine's interfaces to networks, of which a PE has none. */
#ifndef _IFADDRS_H
#define _IFADDRS_H

#include <sys/cdefs.h>
#include <sys/socket.h>

struct ifaddrs {
    struct ifaddrs *ifa_next;
    char *ifa_name;
    unsigned ifa_flags;
    struct sockaddr *ifa_addr, *ifa_netmask;
    union {
        struct sockaddr *ifu_broadaddr, *ifu_dstaddr;
    } ifa_ifu;
#define ifa_broadaddr ifa_ifu.ifu_broadaddr
#define ifa_dstaddr ifa_ifu.ifu_dstaddr
    void *ifa_data;
};

__BEGIN_DECLS
int getifaddrs(struct ifaddrs **);
void freeifaddrs(struct ifaddrs *);
__END_DECLS

#endif
