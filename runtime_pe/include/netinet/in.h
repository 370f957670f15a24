/* netinet/in.h: the network's byte order, which file formats have too. There are no sockets. */
#ifndef _NETINET_IN_H
#define _NETINET_IN_H

#include <stdint.h>

typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;

#define htonl(x) __builtin_bswap32(x)
#define htons(x) __builtin_bswap16(x)
#define ntohl(x) __builtin_bswap32(x)
#define ntohs(x) __builtin_bswap16(x)

#endif
