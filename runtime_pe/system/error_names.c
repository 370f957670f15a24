/* error_names.c: what errors are called, in the words of glibc, which programs print. */
#include <errno.h>
#include <locale.h>
#include <reent.h>
#include <stdio.h>
#include <string.h>

static const struct {
    unsigned char number;
    const char *name;
} names[] = {
    {0, "Success"},
    {EPERM, "Operation not permitted"},
    {ENOENT, "No such file or directory"},
    {ESRCH, "No such process"},
    {EINTR, "Interrupted system call"},
    {EIO, "Input/output error"},
    {ENXIO, "No such device or address"},
    {E2BIG, "Argument list too long"},
    {ENOEXEC, "Exec format error"},
    {EBADF, "Bad file descriptor"},
    {ECHILD, "No child processes"},
    {EAGAIN, "Resource temporarily unavailable"},
    {ENOMEM, "Cannot allocate memory"},
    {EACCES, "Permission denied"},
    {EFAULT, "Bad address"},
    {EBUSY, "Device or resource busy"},
    {EEXIST, "File exists"},
    {EXDEV, "Invalid cross-device link"},
    {ENODEV, "No such device"},
    {ENOTDIR, "Not a directory"},
    {EISDIR, "Is a directory"},
    {EINVAL, "Invalid argument"},
    {ENFILE, "Too many open files in system"},
    {EMFILE, "Too many open files"},
    {ENOTTY, "Inappropriate ioctl for device"},
    {ETXTBSY, "Text file busy"},
    {EFBIG, "File too large"},
    {ENOSPC, "No space left on device"},
    {ESPIPE, "Illegal seek"},
    {EROFS, "Read-only file system"},
    {EMLINK, "Too many links"},
    {EPIPE, "Broken pipe"},
    {EDOM, "Numerical argument out of domain"},
    {ERANGE, "Numerical result out of range"},
    {ENOMSG, "No message of desired type"},
    {EIDRM, "Identifier removed"},
    {EDEADLK, "Resource deadlock avoided"},
    {ENOLCK, "No locks available"},
    {ENOSTR, "Device not a stream"},
    {ENODATA, "No data available"},
    {ETIME, "Timer expired"},
    {ENOSR, "Out of streams resources"},
    {ENOLINK, "Link has been severed"},
    {EPROTO, "Protocol error"},
    {EMULTIHOP, "Multihop attempted"},
    {EBADMSG, "Bad message"},
    {ENOSYS, "Function not implemented"},
    {ENOTEMPTY, "Directory not empty"},
    {ENAMETOOLONG, "File name too long"},
    {ELOOP, "Too many levels of symbolic links"},
    {EOPNOTSUPP, "Operation not supported"},
    {EPFNOSUPPORT, "Protocol family not supported"},
    {ECONNRESET, "Connection reset by peer"},
    {ENOBUFS, "No buffer space available"},
    {EAFNOSUPPORT, "Address family not supported by protocol"},
    {EPROTOTYPE, "Protocol wrong type for socket"},
    {ENOTSOCK, "Socket operation on non-socket"},
    {ENOPROTOOPT, "Protocol not available"},
    {ECONNREFUSED, "Connection refused"},
    {EADDRINUSE, "Address already in use"},
    {ECONNABORTED, "Software caused connection abort"},
    {ENETUNREACH, "Network is unreachable"},
    {ENETDOWN, "Network is down"},
    {ETIMEDOUT, "Connection timed out"},
    {EHOSTDOWN, "Host is down"},
    {EHOSTUNREACH, "No route to host"},
    {EINPROGRESS, "Operation now in progress"},
    {EALREADY, "Operation already in progress"},
    {EDESTADDRREQ, "Destination address required"},
    {EMSGSIZE, "Message too long"},
    {EPROTONOSUPPORT, "Protocol not supported"},
    {EADDRNOTAVAIL, "Cannot assign requested address"},
    {ENETRESET, "Network dropped connection on reset"},
    {EISCONN, "Transport endpoint is already connected"},
    {ENOTCONN, "Transport endpoint is not connected"},
    {EDQUOT, "Disk quota exceeded"},
    {ESTALE, "Stale file handle"},
    {ENOTSUP, "Operation not supported"},
    {EILSEQ, "Invalid or incomplete multibyte or wide character"},
    {EOVERFLOW, "Value too large for defined data type"},
    {ECANCELED, "Operation canceled"},
    {ENOTRECOVERABLE, "State not recoverable"},
    {EOWNERDEAD, "Owner died"},
};

/* newlib's perror and strerror_r come here too. */
char *_strerror_r(struct _reent *state, int number, int internal, int *error) {
    static _Thread_local char unknown_to[2][40]; /* what strerror() has returned stays as it is */
    char *const unknown = unknown_to[internal != 0];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (names[i].number == (unsigned)number) return (char *)names[i].name;
    if (error) *error = EINVAL;
    snprintf(unknown, sizeof *unknown_to, "Unknown error %d", number);
    return unknown;
}

char *strerror(int number) { return _strerror_r(_REENT, number, 0, NULL); }

char *strerror_l(int number, locale_t locale) {
    (void)locale;
    return strerror(number);
}
