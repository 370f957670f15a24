/* interfaces.c: <ifaddrs.h> and <net/if.h> of a machine that has no interface, not even one to itself. */
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdlib.h>

int getifaddrs(struct ifaddrs **first) { return *first = NULL, 0; }
void freeifaddrs(struct ifaddrs *first) { (void)first; }

unsigned if_nametoindex(const char *name) { return (void)name, errno = ENODEV, 0; }
char *if_indextoname(unsigned index, char *name) { return (void)index, (void)name, errno = ENXIO, NULL; }
struct if_nameindex *if_nameindex(void) {
    return calloc(1, sizeof(struct if_nameindex));
}
void if_freenameindex(struct if_nameindex *all) { free(all); }
