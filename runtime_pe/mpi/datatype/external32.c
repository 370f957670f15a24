/* external32.c: packing in the representation that all machines share: big-endian, numbers of the sizes that the standard fixes. Data is
 * packed first; then each number of what lies there is turned. */
#include <stdlib.h>
#include <string.h>

#include "types.h"

/* Bytes of a number here and there. Complex numbers and pairs are two. */
struct number {
    unsigned char own, external, is_signed, is_real;
};

static struct number number_of(MPI_Datatype basic) {
    const unsigned char size = (unsigned char)__mog_mpi_number_size(basic);
    switch (basic) {
        case MPI_LONG_DOUBLE:
        case MPI_C_LONG_DOUBLE_COMPLEX:
        case MPI_CXX_LONG_DOUBLE_COMPLEX: return (struct number){8, 16, 0, 1};
        case MPI_WCHAR: return (struct number){4, 2, 0, 0};
        case MPI_AINT: return (struct number){4, 8, 1, 0};
        default: return (struct number){size, size, 1, 0};
    }
}

/* IEEE's 16 bytes of a double, big-endian, and back. What has no double is rounded towards zero. */
static void to_quad(unsigned char *to, const unsigned char *from) {
    unsigned long long bits;
    memcpy(&bits, from, sizeof bits);
    unsigned long long fraction = bits & 0xfffffffffffffull;
    unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    if (exponent == 0x7ff) {
        exponent = 0x7fff;
    } else if (exponent) {
        exponent += 16383 - 1023;
    } else if (fraction) {
        exponent = 16383 - 1022;
        for (; !(fraction >> 52); exponent--) fraction <<= 1;
        fraction &= 0xfffffffffffffull;
    }
    memset(to, 0, 16);
    to[0] = (unsigned char)(bits >> 63 << 7 | exponent >> 8);
    to[1] = (unsigned char)exponent;
    for (int i = 0; i < 7; i++) to[2 + i] = (unsigned char)(fraction << 12 >> (56 - 8 * i));
}

static void from_quad(unsigned char *to, const unsigned char *from) {
    unsigned long long fraction = 0, bits;
    for (int i = 0; i < 7; i++) fraction = fraction << 8 | from[2 + i];
    fraction >>= 4;
    int exponent = (from[0] & 0x7f) << 8 | from[1];
    if (exponent == 0x7fff) {
        bits = 0x7ffull << 52 | fraction;
    } else if ((exponent -= 16383 - 1023) >= 0x7ff) {
        bits = 0x7ffull << 52;
    } else if (exponent > 0) {
        bits = (unsigned long long)exponent << 52 | fraction;
    } else {
        bits = exponent < -51 ? 0 : (fraction | 1ull << 52) >> (1 - exponent);
    }
    bits |= (unsigned long long)(from[0] >> 7) << 63;
    memcpy(to, &bits, sizeof bits);
}

/* A conversion in progress. `external` null: its size is asked for. */
struct conversion {
    unsigned char *own, *external;
    int to_external;
    unsigned long long left;  /* of the external form, in which data lies */
    unsigned long long bytes; /* of it, so far */
    unsigned here;            /* bytes of data that lie in them */
};

static void convert_one(struct conversion *c, struct number n) {
    unsigned char *own = c->own, *external = c->external;
    if (n.external == 16) {
        if (c->to_external) to_quad(external, own);
        else from_quad(own, external);
    } else if (c->to_external) {
        const unsigned char fill = n.is_signed && own[n.own - 1] & 0x80 ? 0xff : 0;
        for (int i = 0; i < n.external; i++) external[n.external - 1 - i] = i < n.own ? own[i] : fill;
    } else {
        for (int i = 0; i < n.own; i++) own[i] = i < n.external ? external[n.external - 1 - i] : 0;
    }
    c->own += n.own;
    c->external += n.external;
}

static void visit(MPI_Datatype basic, unsigned count, void *context) {
    struct conversion *c = context;
    const unsigned size = __mog_mpi_basic_size(basic), second = basic == MPI_2INT ? 4 : 0;
    struct number n[2] = {number_of(basic), number_of(MPI_INT)};
    unsigned numbers = 1;
    if (mpi_is_pair(basic)) {
        /* The value, and an int in the last word of them, or in the middle. */
        static const MPI_Datatype values[] = {MPI_FLOAT, MPI_DOUBLE, MPI_LONG, MPI_SHORT, MPI_LONG_DOUBLE};
        n[0] = number_of(second ? MPI_INT : values[basic & 7]);
        numbers = 2;
    } else if (size == 2u * n[0].own) {
        n[1] = n[0];
        numbers = 2;
    }
    const unsigned external = n[0].external + (numbers == 2 ? n[1].external : 0u);
    if (count > c->left / external) {
        count = (unsigned)(c->left / external);
        c->left = (unsigned long long)count * external; /* the rest is no whole number */
    }
    c->left -= (unsigned long long)count * external;
    c->bytes += (unsigned long long)count * external;
    c->here += count * size;
    for (; c->external && count; count--) {
        unsigned char *const begin = c->own;
        convert_one(c, n[0]);
        if (mpi_is_pair(basic)) c->own = begin + size / 2;
        if (numbers == 2) convert_one(c, n[1]);
        c->own = begin + size;
    }
}

static int check(const char *representation, int count, MPI_Datatype type, unsigned *own, unsigned long long *external) {
    struct mpi_measure m;
    if (strcmp(representation, "external32")) return MPI_ERR_ARG;
    if (__mog_mpi_measure(&m, type) != MPI_SUCCESS || !m.is_ready) return MPI_ERR_TYPE;
    if (count < 0 || (m.bytes && (unsigned)count > 0x7fffffffu / m.bytes)) return MPI_ERR_COUNT;
    struct conversion c = {.left = -1ull};
    *own = (unsigned)count * m.bytes;
    __mog_mpi_signature(type, m.bytes, visit, &c);
    *external = c.bytes * (unsigned)count;
    return *external > 0x7fffffff ? MPI_ERR_COUNT : MPI_SUCCESS;
}

unsigned __mog_mpi_external_bytes(MPI_Datatype type, unsigned bytes) {
    struct conversion c = {.left = -1ull};
    __mog_mpi_signature(type, bytes, visit, &c);
    return (unsigned)c.bytes;
}

unsigned __mog_mpi_own_bytes(MPI_Datatype type, unsigned bytes, unsigned external) {
    struct conversion c = {.left = external};
    __mog_mpi_signature(type, bytes, visit, &c);
    return c.here;
}

void __mog_mpi_to_external(MPI_Datatype type, const void *packed, unsigned bytes, void *external) {
    struct conversion c = {(unsigned char *)packed, external, 1, .left = -1ull};
    __mog_mpi_signature(type, bytes, visit, &c);
}

void __mog_mpi_from_external(MPI_Datatype type, void *packed, unsigned bytes, const void *external) {
    struct conversion c = {packed, (unsigned char *)external, 0, .left = -1ull};
    __mog_mpi_signature(type, bytes, visit, &c);
}

MPI_DEFINE(Pack_external_size, const char *representation, int count, MPI_Datatype type, MPI_Aint *size) {
    unsigned own;
    unsigned long long external = 0;
    const int code = check(representation, count, type, &own, &external);
    *size = (MPI_Aint)external;
    MPI_RETURN(MPI_COMM_WORLD, code);
}

/* `count` elements, `incoming` or else outgoing, from `*position` of `external`, `size` bytes, on. */
static int convert(const char *representation, void *buffer, int count, MPI_Datatype type, unsigned char *external, MPI_Aint size,
                   MPI_Aint *position, int incoming) {
    unsigned own;
    unsigned long long length;
    struct mpi_bytes bytes;
    int code = check(representation, count, type, &own, &length);
    if (code == MPI_SUCCESS && (*position < 0 || *position > size || length > (unsigned long long)(size - *position)))
        code = MPI_ERR_TRUNCATE;
    if (code == MPI_SUCCESS)
        code = incoming ? __mog_mpi_incoming(&bytes, buffer, count, type) : __mog_mpi_outgoing(&bytes, buffer, count, type);
    if (code != MPI_SUCCESS) return code;
    struct conversion c = {bytes.start, external + *position, !incoming, .left = -1ull};
    __mog_mpi_signature(type, own, visit, &c);
    *position += (MPI_Aint)length;
    if (incoming && bytes.packed) __mog_mpi_arrived(&bytes, buffer, count, type, own);
    else __mog_mpi_sent(&bytes);
    return MPI_SUCCESS;
}

MPI_DEFINE(Pack_external, const char *representation, const void *in, int count, MPI_Datatype type, void *out, MPI_Aint size,
           MPI_Aint *position) {
    MPI_RETURN(MPI_COMM_WORLD, convert(representation, (void *)in, count, type, out, size, position, 0));
}

MPI_DEFINE(Unpack_external, const char *representation, const void *in, MPI_Aint size, MPI_Aint *position, void *out, int count,
           MPI_Datatype type) {
    MPI_RETURN(MPI_COMM_WORLD, convert(representation, out, count, type, (unsigned char *)in, size, position, 1));
}
