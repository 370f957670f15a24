/* addresses.c: <arpa/inet.h>: addresses of the Internet as text, and back. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct in6_addr in6addr_any = IN6ADDR_ANY_INIT, in6addr_loopback = IN6ADDR_LOOPBACK_INIT;

/* As C has numbers, in one to four parts, of which the last takes what is left: 127.1 is 127.0.0.1. */
static bool read_parts(const char *text, uint32_t *address) {
    uint32_t parts[4], limit = 0xffffffff;
    int count = 0;
    for (;; ++text) {
        char *end;
        if (*text < '0' || *text > '9' || count == 4) return false;
        errno = 0;
        const unsigned long part = strtoul(text, &end, 0);
        if (errno) return false;
        parts[count++] = part;
        text = end;
        if (*text != '.') break;
        if (part > 255) return false;
    }
    if (*text && *text != ' ' && (*text < '\t' || *text > '\r')) return false;
    uint32_t whole = parts[count - 1];
    limit >>= 8 * (count - 1);
    if (whole > limit) return false;
    for (int i = 0; i < count - 1; ++i) whole |= parts[i] << (24 - 8 * i);
    *address = whole;
    return true;
}

int inet_aton(const char *text, struct in_addr *address) {
    uint32_t value;
    const int before = errno;
    const bool is_one = read_parts(text, &value);
    errno = before;
    if (is_one && address) address->s_addr = htonl(value);
    return is_one;
}

in_addr_t inet_addr(const char *text) {
    struct in_addr address;
    return inet_aton(text, &address) ? address.s_addr : INADDR_NONE;
}

/* Parts that are all bytes, one after the other. */
in_addr_t inet_network(const char *text) {
    in_addr_t value = 0;
    for (int count = 0; count < 4; ++text, ++count) {
        char *end;
        if (*text < '0' || *text > '9') return INADDR_NONE;
        const unsigned long part = strtoul(text, &end, 0);
        if (part > 255) return INADDR_NONE;
        value = value << 8 | part;
        if (!*end) return value;
        if (*end != '.') return INADDR_NONE;
        text = end;
    }
    return INADDR_NONE;
}

/* Four numbers in decimal, and no more. */
static bool read_four(const char *text, uint8_t *bytes) {
    for (int i = 0; i < 4; ++i) {
        unsigned value = 0, digits = 0;
        for (; *text >= '0' && *text <= '9'; ++text, ++digits) {
            if (digits && !value) return false;
            value = value * 10 + (unsigned)(*text - '0');
            if (value > 255) return false;
        }
        if (!digits || *text++ != (i < 3 ? '.' : 0)) return false;
        bytes[i] = (uint8_t)value;
    }
    return true;
}

/* Groups of hexadecimal digits; :: stands once, for groups of zeros; the last four bytes may be as in IPv4. */
static bool read_groups(const char *text, uint8_t *bytes) {
    uint8_t found[16] = {0};
    int filled = 0, gap = -1;
    if (text[0] == ':' && *++text != ':') return false;
    while (*text) {
        if (*text == ':') {
            if (gap >= 0) return false;
            gap = filled;
            ++text;
            continue;
        }
        if (filled + 4 <= 16 && strchr(text, '.') && !strchr(text, ':')) {
            if (!read_four(text, found + filled)) return false;
            filled += 4;
            break;
        }
        unsigned value = 0, digits = 0;
        for (; digits < 5; ++text, ++digits) {
            const int c = *text >= 'A' && *text <= 'F' ? *text + 32 : *text;
            if (c >= '0' && c <= '9') value = value * 16 + (unsigned)(c - '0');
            else if (c >= 'a' && c <= 'f') value = value * 16 + (unsigned)(c - 'a' + 10);
            else break;
        }
        if (!digits || digits > 4 || filled == 16) return false;
        found[filled++] = (uint8_t)(value >> 8);
        found[filled++] = (uint8_t)value;
        if (*text && (*text++ != ':' || !*text)) return false;
    }
    if (gap >= 0 ? filled == 16 : filled != 16) return false;
    memset(bytes, 0, 16);
    if (gap < 0) gap = 16;
    memcpy(bytes, found, (size_t)(gap < filled ? gap : filled));
    if (gap < filled) memcpy(bytes + 16 - (filled - gap), found + gap, (size_t)(filled - gap));
    return true;
}

int inet_pton(int family, const char *restrict text, void *restrict address) {
    uint8_t bytes[16];
    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    const size_t size = family == AF_INET ? 4 : 16;
    if (!(family == AF_INET ? read_four(text, bytes) : read_groups(text, bytes))) return 0;
    memcpy(address, bytes, size);
    return 1;
}

static int print_four(char *text, const uint8_t *bytes) { return sprintf(text, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]); }

/* The longest run of groups of zeros, of two at least, is ::. */
static void print_groups(char *text, const uint8_t *bytes) {
    unsigned groups[8];
    int from = 0, length = 1;
    for (int i = 0, run = 0; i < 8; ++i) {
        groups[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
        run = groups[i] ? 0 : run + 1;
        if (run > length) {
            length = run;
            from = i - run + 1;
        }
    }
    const bool is_of_ipv4 = from == 0 && (length == 6 || (length == 7 && groups[7] != 1) || (length == 5 && groups[5] == 0xffff));
    for (int i = 0; i < 8;) {
        if (length > 1 && i == from) {
            text += sprintf(text, i == 0 ? "::" : ":");
            i += length;
        } else if (is_of_ipv4 && i == 6) {
            print_four(text, bytes + 12);
            return;
        } else {
            text += sprintf(text, i < 7 ? "%x:" : "%x", groups[i]);
            ++i;
        }
    }
}

const char *inet_ntop(int family, const void *restrict address, char *restrict text, socklen_t room) {
    char made[INET6_ADDRSTRLEN + 8];
    if (family == AF_INET) print_four(made, address);
    else if (family == AF_INET6) print_groups(made, address);
    else {
        errno = EAFNOSUPPORT;
        return NULL;
    }
    if (strlen(made) >= room) {
        errno = ENOSPC;
        return NULL;
    }
    return strcpy(text, made);
}

char *inet_ntoa(struct in_addr address) {
    static _Thread_local char text[INET_ADDRSTRLEN];
    print_four(text, (const uint8_t *)&address);
    return text;
}
