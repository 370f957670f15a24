/* convert.c: newlib's numbers and Linux's, for errors and open flags. The only place that knows both. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

#include "linux.h"

/* newlib's number of each error of MIPS Linux. Up to ERANGE (34) the two agree; beyond, MIPS counts as IRIX did. An error
 * that newlib has no name for becomes EIO. */
static const unsigned char newlib_errno[] = {
#define ERROR(linux_number, name) [linux_number - 35] = name
    ERROR(35, ENOMSG),         ERROR(36, EIDRM),          ERROR(45, EDEADLK),       ERROR(46, ENOLCK),
    ERROR(60, ENOSTR),         ERROR(61, ENODATA),        ERROR(62, ETIME),         ERROR(63, ENOSR),
    ERROR(67, ENOLINK),        ERROR(71, EPROTO),         ERROR(74, EMULTIHOP),     ERROR(77, EBADMSG),
    ERROR(78, ENAMETOOLONG),   ERROR(79, EOVERFLOW),      ERROR(88, EILSEQ),        ERROR(89, ENOSYS),
    ERROR(90, ELOOP),          ERROR(93, ENOTEMPTY),      ERROR(95, ENOTSOCK),      ERROR(96, EDESTADDRREQ),
    ERROR(97, EMSGSIZE),       ERROR(98, EPROTOTYPE),     ERROR(99, ENOPROTOOPT),   ERROR(120, EPROTONOSUPPORT),
    ERROR(122, EOPNOTSUPP),    ERROR(123, EPFNOSUPPORT),  ERROR(124, EAFNOSUPPORT), ERROR(125, EADDRINUSE),
    ERROR(126, EADDRNOTAVAIL), ERROR(127, ENETDOWN),      ERROR(128, ENETUNREACH),  ERROR(129, ENETRESET),
    ERROR(130, ECONNABORTED),  ERROR(131, ECONNRESET),    ERROR(132, ENOBUFS),      ERROR(133, EISCONN),
    ERROR(134, ENOTCONN),      ERROR(145, ETIMEDOUT),     ERROR(146, ECONNREFUSED), ERROR(147, EHOSTDOWN),
    ERROR(148, EHOSTUNREACH),  ERROR(149, EALREADY),      ERROR(150, EINPROGRESS),  ERROR(151, ESTALE),
    ERROR(158, ECANCELED),     ERROR(165, EOWNERDEAD),    ERROR(166, ENOTRECOVERABLE),
#undef ERROR
};
#define LINUX_EDQUOT 1133

int linux_result(int result) {
    if (result >= 0 || result < -LINUX_EDQUOT)
        return result;
    unsigned number = (unsigned)-result;
    if (number == LINUX_EDQUOT)
        number = EDQUOT;
    else if (number > ERANGE)
        number = number - 35 < sizeof newlib_errno ? newlib_errno[number - 35] : 0;
    errno = number ? (int)number : EIO;
    return -1;
}

/* The open flags that both have. The access mode (the two lowest bits) is the same in both. */
static const struct {
    int newlib, linux_flag;
} open_flags[] = {
    {O_APPEND, 0x8},      {O_CREAT, 0x100},        {O_TRUNC, 0x200},       {O_EXCL, 0x400},
    {O_NONBLOCK, 0x80},   {O_NOCTTY, 0x800},       {O_SYNC, 0x4010},       {_FNOINHERIT, 0x80000},
    {_FDIRECT, 0x8000},   {_FNOFOLLOW, 0x20000},   {_FDIRECTORY, 0x10000},
};
#define OPEN_FLAGS (sizeof open_flags / sizeof *open_flags)

int linux_open_flags(int newlib_flags) {
    int flags = newlib_flags & O_ACCMODE;
    for (size_t i = 0; i < OPEN_FLAGS; ++i)
        if (newlib_flags & open_flags[i].newlib)
            flags |= open_flags[i].linux_flag;
    return flags;
}

int newlib_open_flags(int linux_flags) {
    int flags = linux_flags & O_ACCMODE;
    for (size_t i = 0; i < OPEN_FLAGS; ++i)
        if ((linux_flags & open_flags[i].linux_flag) == open_flags[i].linux_flag)
            flags |= open_flags[i].newlib;
    return flags;
}
