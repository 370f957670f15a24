/* net/if.h: names and numbers of interfaces to networks, of which a PE has none. */
#ifndef _NET_IF_H
#define _NET_IF_H

#include <sys/cdefs.h>

#define IF_NAMESIZE 16
#if __MISC_VISIBLE
#define IFNAMSIZ IF_NAMESIZE
#define IFF_UP 0x1
#define IFF_BROADCAST 0x2
#define IFF_LOOPBACK 0x8
#define IFF_POINTOPOINT 0x10
#define IFF_RUNNING 0x40
#define IFF_MULTICAST 0x1000
#endif

struct if_nameindex {
    unsigned if_index;
    char *if_name;
};

__BEGIN_DECLS
unsigned if_nametoindex(const char *);
char *if_indextoname(unsigned, char *);
struct if_nameindex *if_nameindex(void);
void if_freenameindex(struct if_nameindex *);
__END_DECLS

#endif
