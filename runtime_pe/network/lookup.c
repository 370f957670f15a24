/* lookup.c: <netdb.h>. Nobody is asked: known are numbers, "localhost", and the protocols that programs name. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local int last_error;
int *__mog_h_errno(void) { return &last_error; }

static char *no_aliases[] = {NULL};
static char protocol_names[][10] = {"ip", "icmp", "tcp", "udp", "ipv6", "ipv6-icmp"};
enum { PROTOCOLS = sizeof protocol_names / sizeof *protocol_names };
static struct protoent protocols[PROTOCOLS] = {
    {protocol_names[0], no_aliases, IPPROTO_IP},   {protocol_names[1], no_aliases, IPPROTO_ICMP},
    {protocol_names[2], no_aliases, IPPROTO_TCP},  {protocol_names[3], no_aliases, IPPROTO_UDP},
    {protocol_names[4], no_aliases, IPPROTO_IPV6}, {protocol_names[5], no_aliases, IPPROTO_ICMPV6},
};
struct protoent *getprotobyname(const char *name) {
    for (int i = 0; i < PROTOCOLS; ++i)
        if (strcmp(name, protocols[i].p_name) == 0) return &protocols[i];
    return NULL;
}
struct protoent *getprotobynumber(int number) {
    for (int i = 0; i < PROTOCOLS; ++i)
        if (protocols[i].p_proto == number) return &protocols[i];
    return NULL;
}
struct servent *getservbyname(const char *name, const char *protocol) {
    return (void)name, (void)protocol, NULL;
}
struct servent *getservbyport(int port, const char *protocol) {
    return (void)port, (void)protocol, NULL;
}

/* What a name stands for; `count` addresses, of which those of IPv6 are the last. */
struct known {
    struct in_addr four;
    struct in6_addr six;
    bool has_four, has_six;
};
static bool look_up(const char *host, struct known *known) {
    *known = (struct known){.has_four = inet_aton(host, &known->four) != 0};
    if (known->has_four) inet_aton(host, &known->four);
    else known->has_six = inet_pton(AF_INET6, host, &known->six) == 1;
    if (strcmp(host, "localhost") == 0) *known = (struct known){{htonl(INADDR_LOOPBACK)}, in6addr_loopback, true, true};
    return known->has_four || known->has_six;
}

struct hostent *gethostbyname(const char *name) {
    static struct hostent host;
    static struct in_addr address;
    static char *addresses[] = {(char *)&address, NULL}, *own_name;
    struct known known;
    if (!look_up(name, &known) || !known.has_four) {
        last_error = NO_RECOVERY;
        return NULL;
    }
    free(own_name);
    own_name = strdup(name);
    address = known.four;
    host = (struct hostent){own_name, no_aliases, AF_INET, sizeof address, addresses};
    return &host;
}
struct hostent *gethostbyaddr(const void *address, socklen_t bytes, int family) {
    (void)address, (void)bytes, (void)family;
    last_error = HOST_NOT_FOUND;
    return NULL;
}

/* An answer of getaddrinfo() is one piece of memory. */
struct answer {
    struct addrinfo info;
    union {
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } address;
    char name[];
};

static struct addrinfo *answer(int family, const struct known *known, in_port_t port, int type, int protocol, const char *name) {
    struct answer *made = calloc(1, sizeof *made + (name ? strlen(name) + 1 : 0));
    if (!made) return NULL;
    made->info = (struct addrinfo){0, family, type, protocol, 0, (struct sockaddr *)&made->address, NULL, NULL};
    if (family == AF_INET) {
        made->info.ai_addrlen = sizeof made->address.four;
        made->address.four = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port, .sin_addr = known->four};
    } else {
        made->info.ai_addrlen = sizeof made->address.six;
        made->address.six = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = port, .sin6_addr = known->six};
    }
    if (name) made->info.ai_canonname = strcpy(made->name, name);
    return &made->info;
}

void freeaddrinfo(struct addrinfo *info) {
    while (info) {
        struct addrinfo *next = info->ai_next;
        free(info);
        info = next;
    }
}

int getaddrinfo(const char *restrict host, const char *restrict service, const struct addrinfo *restrict wanted,
                struct addrinfo **restrict result) {
    static const struct { int type, protocol; } kinds[] = {{SOCK_STREAM, IPPROTO_TCP}, {SOCK_DGRAM, IPPROTO_UDP}, {SOCK_RAW, 0}};
    const struct addrinfo any = {0};
    if (!wanted) wanted = &any;
    const int family = wanted->ai_family, flags = wanted->ai_flags;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6) return EAI_FAMILY;
    if (!host && !service) return EAI_NONAME;
    if (flags & AI_CANONNAME && !host) return EAI_BADFLAGS;
    unsigned long port = 0;
    if (service) {
        char *end;
        port = strtoul(service, &end, 10);
        if (end == service || *end || port > 65535) return flags & AI_NUMERICSERV ? EAI_NONAME : EAI_SERVICE;
    }
    struct known known = {{htonl(flags & AI_PASSIVE ? INADDR_ANY : INADDR_LOOPBACK)}, in6addr_loopback, true, true};
    if (!host && flags & AI_PASSIVE) known.six = in6addr_any;
    if (host && (!look_up(host, &known) || (flags & AI_NUMERICHOST && known.has_four && known.has_six)))
        return flags & AI_NUMERICHOST ? EAI_NONAME : EAI_FAIL;
    known.has_four &= family != AF_INET6;
    known.has_six &= family != AF_INET;
    if (!known.has_four && !known.has_six) return EAI_NONAME;

    struct addrinfo *first = NULL, **last = &first;
    bool is_kind = false;
    for (int six = 1; six >= 0; --six)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
            if (wanted->ai_socktype && wanted->ai_socktype != kinds[i].type) continue;
            if (wanted->ai_protocol && kinds[i].protocol && wanted->ai_protocol != kinds[i].protocol) continue;
            is_kind = true;
            if (!(six ? known.has_six : known.has_four)) continue;
            *last =
                answer(six ? AF_INET6 : AF_INET, &known, htons((uint16_t)port), kinds[i].type,
                       kinds[i].protocol ? kinds[i].protocol : wanted->ai_protocol, flags & AI_CANONNAME && last == &first ? host : NULL);
            if (!*last) {
                freeaddrinfo(first);
                return EAI_MEMORY;
            }
            last = &(*last)->ai_next;
        }
    if (!is_kind) return EAI_SOCKTYPE;
    *result = first;
    return 0;
}

static int give(const char *text, char *to, socklen_t room) {
    if (!to || !room) return 0;
    if (strlen(text) >= room) return EAI_OVERFLOW;
    strcpy(to, text);
    return 0;
}

int getnameinfo(const struct sockaddr *restrict address, socklen_t bytes, char *restrict host, socklen_t host_room, char *restrict service,
                socklen_t service_room, int flags) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    const bool is_six = address->sa_family == AF_INET6;
    if ((address->sa_family != AF_INET && !is_six) || bytes < (is_six ? sizeof *six : sizeof *four)) return EAI_FAMILY;
    if (flags & NI_NAMEREQD || ((!host || !host_room) && (!service || !service_room))) return EAI_NONAME;
    char text[INET6_ADDRSTRLEN], port[6];
    inet_ntop(address->sa_family, is_six ? (const void *)&six->sin6_addr : &four->sin_addr, text, sizeof text);
    sprintf(port, "%d", ntohs(is_six ? six->sin6_port : four->sin_port));
    const int failed = give(text, host, host_room);
    return failed ? failed : give(port, service, service_room);
}

/* ---- what errors are called, as in glibc ---- */

static const struct {
    int number;
    const char *text;
} lookup_errors[] = {
    {EAI_BADFLAGS, "Bad value for ai_flags"},
    {EAI_NONAME, "Name or service not known"},
    {EAI_AGAIN, "Temporary failure in name resolution"},
    {EAI_FAIL, "Non-recoverable failure in name resolution"},
    {EAI_FAMILY, "ai_family not supported"},
    {EAI_SOCKTYPE, "ai_socktype not supported"},
    {EAI_SERVICE, "Servname not supported for ai_socktype"},
    {EAI_MEMORY, "Memory allocation failure"},
    {EAI_SYSTEM, "System error"},
    {EAI_OVERFLOW, "Result too large for supplied buffer"},
};
const char *gai_strerror(int number) {
    for (size_t i = 0; i < sizeof lookup_errors / sizeof *lookup_errors; ++i)
        if (lookup_errors[i].number == number) return lookup_errors[i].text;
    return "Unknown error";
}

static const char *const host_errors[] = {"Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure", "Unknown server error",
                                          "No address associated with name"};
const char *hstrerror(int number) {
    if (number < 0) return "Resolver internal error";
    return (size_t)number < sizeof host_errors / sizeof *host_errors ? host_errors[number] : "Unknown resolver error";
}
void herror(const char *text) { fprintf(stderr, "%s%s%s\n", text && *text ? text : "", text && *text ? ": " : "", hstrerror(last_error)); }
