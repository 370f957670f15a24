/* arpa/inet.h: addresses of the Internet as text. */
#ifndef _ARPA_INET_H
#define _ARPA_INET_H

#include <netinet/in.h>

__BEGIN_DECLS
in_addr_t inet_addr(const char *);
char *inet_ntoa(struct in_addr);
const char *inet_ntop(int, const void *__restrict, char *__restrict, socklen_t);
int inet_pton(int, const char *__restrict, void *__restrict);
#if __MISC_VISIBLE
int inet_aton(const char *, struct in_addr *);
in_addr_t inet_network(const char *);
#endif
__END_DECLS

#endif
