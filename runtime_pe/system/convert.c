/* convert.c: newlib's numbers and Linux's, for errors and open flags. The only place that knows both. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

#include "linux.h"

/* newlib's number of each error of MIPS Linux. Up to ERANGE (34) the two agree; beyond, MIPS counts as IRIX did. An error
 * that newlib has no name for becomes EIO. EDQUOT, far above the others, stands apart. */
#define MOG_ERRNO(name, number) [number - LINUX_ENOMSG] = name,
#define MOG_ERRNO_FAR(name, number)
#define MOG_ERRNO_NOT_IN_NEWLIB(name, number)
static const unsigned char newlib_errno[] = {
#include "abi/errno.def"
};

int linux_result(int result) {
    if (result >= 0 || result < -LINUX_EDQUOT) return result;
    unsigned number = (unsigned)-result;
    if (number == LINUX_EDQUOT) number = EDQUOT;
    else if (number > ERANGE) number = number - LINUX_ENOMSG < sizeof newlib_errno ? newlib_errno[number - LINUX_ENOMSG] : 0;
    errno = number ? (int)number : EIO;
    return -1;
}

/* The open flags that both have. The access mode (the two lowest bits) is the same in both. */
static const struct {
    int newlib, linux_flag;
} open_flags[] = {
    {O_APPEND, LINUX_O_APPEND},     {O_CREAT, LINUX_O_CREAT},       {O_TRUNC, LINUX_O_TRUNC},         {O_EXCL, LINUX_O_EXCL},
    {O_NONBLOCK, LINUX_O_NONBLOCK}, {O_NOCTTY, LINUX_O_NOCTTY},     {O_SYNC, LINUX_O_SYNC},           {O_CLOEXEC, LINUX_O_CLOEXEC},
    {O_DIRECT, LINUX_O_DIRECT},     {O_NOFOLLOW, LINUX_O_NOFOLLOW}, {O_DIRECTORY, LINUX_O_DIRECTORY},
};
#define OPEN_FLAGS (sizeof open_flags / sizeof *open_flags)

int linux_open_flags(int newlib_flags) {
    int flags = newlib_flags & O_ACCMODE;
    for (size_t i = 0; i < OPEN_FLAGS; ++i)
        if (newlib_flags & open_flags[i].newlib) flags |= open_flags[i].linux_flag;
    return flags;
}

int newlib_open_flags(int linux_flags) {
    int flags = linux_flags & O_ACCMODE;
    for (size_t i = 0; i < OPEN_FLAGS; ++i)
        if ((linux_flags & open_flags[i].linux_flag) == open_flags[i].linux_flag) flags |= open_flags[i].newlib;
    return flags;
}
