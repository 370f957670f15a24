/* netinet/in.h: the network's byte order, which file formats have too, and addresses of the Internet. */
#ifndef _NETINET_IN_H
#define _NETINET_IN_H

#include <sys/socket.h>

/* <sys/types.h> has them, too, where more than C is asked for. */
#ifndef _IN_ADDR_T_DECLARED
typedef __uint32_t in_addr_t;
#define _IN_ADDR_T_DECLARED
#endif
#ifndef _IN_PORT_T_DECLARED
typedef __uint16_t in_port_t;
#define _IN_PORT_T_DECLARED
#endif

#define htonl(x) __builtin_bswap32(x)
#define htons(x) __builtin_bswap16(x)
#define ntohl(x) __builtin_bswap32(x)
#define ntohs(x) __builtin_bswap16(x)

#define IPPROTO_IP 0
#define IPPROTO_ICMP 1
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_IPV6 41
#define IPPROTO_ICMPV6 58
#define IPPROTO_RAW 255
#define IPPORT_RESERVED 1024

#define IP_TOS 1
#define IP_TTL 2
#define IP_MULTICAST_IF 32
#define IP_MULTICAST_TTL 33
#define IP_MULTICAST_LOOP 34
#define IP_ADD_MEMBERSHIP 35
#define IP_DROP_MEMBERSHIP 36
#define IPV6_UNICAST_HOPS 16
#define IPV6_MULTICAST_IF 17
#define IPV6_MULTICAST_HOPS 18
#define IPV6_MULTICAST_LOOP 19
#define IPV6_JOIN_GROUP 20
#define IPV6_LEAVE_GROUP 21
#define IPV6_V6ONLY 26

struct in_addr {
    in_addr_t s_addr;
};
struct sockaddr_in {
    sa_family_t sin_family;
    in_port_t sin_port;
    struct in_addr sin_addr;
    unsigned char sin_zero[8];
};
struct in6_addr {
    union {
        uint8_t __bytes[16];
        uint16_t __halves[8];
        uint32_t __words[4];
    } __address;
#define s6_addr __address.__bytes
#define s6_addr16 __address.__halves
#define s6_addr32 __address.__words
};
struct sockaddr_in6 {
    sa_family_t sin6_family;
    in_port_t sin6_port;
    uint32_t sin6_flowinfo;
    struct in6_addr sin6_addr;
    uint32_t sin6_scope_id;
};
struct ip_mreq {
    struct in_addr imr_multiaddr, imr_interface;
};
struct ipv6_mreq {
    struct in6_addr ipv6mr_multiaddr;
    unsigned ipv6mr_interface;
};

#define INADDR_ANY ((in_addr_t)0)
#define INADDR_BROADCAST ((in_addr_t)0xffffffff)
#define INADDR_NONE ((in_addr_t)0xffffffff)
#define INADDR_LOOPBACK ((in_addr_t)0x7f000001)
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
#define IN6ADDR_ANY_INIT {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}}
#define IN6ADDR_LOOPBACK_INIT {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}}

#define IN_CLASSA(a) (((in_addr_t)(a)&0x80000000u) == 0)
#define IN_CLASSB(a) (((in_addr_t)(a)&0xc0000000u) == 0x80000000u)
#define IN_CLASSC(a) (((in_addr_t)(a)&0xe0000000u) == 0xc0000000u)
#define IN_MULTICAST(a) (((in_addr_t)(a)&0xf0000000u) == 0xe0000000u)
#define __MOG_WORD(a, i) (((const struct in6_addr *)(a))->s6_addr32[i])
#define __MOG_BYTE(a, i) (((const struct in6_addr *)(a))->s6_addr[i])
#define IN6_IS_ADDR_UNSPECIFIED(a) (!(__MOG_WORD(a, 0) | __MOG_WORD(a, 1) | __MOG_WORD(a, 2) | __MOG_WORD(a, 3)))
#define IN6_IS_ADDR_LOOPBACK(a) (!(__MOG_WORD(a, 0) | __MOG_WORD(a, 1) | __MOG_WORD(a, 2)) && __MOG_WORD(a, 3) == htonl(1))
#define IN6_IS_ADDR_MULTICAST(a) (__MOG_BYTE(a, 0) == 0xff)
#define IN6_IS_ADDR_LINKLOCAL(a) (__MOG_BYTE(a, 0) == 0xfe && (__MOG_BYTE(a, 1) & 0xc0) == 0x80)
#define IN6_IS_ADDR_SITELOCAL(a) (__MOG_BYTE(a, 0) == 0xfe && (__MOG_BYTE(a, 1) & 0xc0) == 0xc0)
#define IN6_IS_ADDR_V4MAPPED(a) (!(__MOG_WORD(a, 0) | __MOG_WORD(a, 1)) && __MOG_WORD(a, 2) == htonl(0xffff))
#define IN6_ARE_ADDR_EQUAL(a, b) \
    (__MOG_WORD(a, 0) == __MOG_WORD(b, 0) && __MOG_WORD(a, 1) == __MOG_WORD(b, 1) && __MOG_WORD(a, 2) == __MOG_WORD(b, 2) && \
     __MOG_WORD(a, 3) == __MOG_WORD(b, 3))

__BEGIN_DECLS
extern const struct in6_addr in6addr_any, in6addr_loopback;
__END_DECLS

#endif
