/* math_errors.c: has newlib's mathematical functions set errno, as glibc's do; without it they are silent. */
enum { IEEE = -1, SVID = 0, XOPEN = 1, POSIX = 2 }; /* newlib's __fdlibm_version, which it keeps to itself */

int __fdlib_version = POSIX;
