/* linux.h: the tables of this room as constants of C: LINUX_read and so on, the numbers of system calls; LINUX_O_CREAT and so on; LINUX_SIGINT. */
#ifndef MOG_ABI_LINUX_H
#define MOG_ABI_LINUX_H

#define MOG_LINUX_CALL(number, name) LINUX_##name = number,
enum linux_call_number {
#include "abi/syscalls.def"
    LINUX_CALLS_END
};

#define MOG_LINUX_CONSTANT(name, value) LINUX_##name = value,
enum linux_constant {
#include "abi/constants.def"
    LINUX_CONSTANTS_END
};

#define MOG_SIGNAL(name, number, effect) LINUX_##name = number,
enum linux_signal {
#include "abi/signals.def"
    LINUX_SIGNALS_END
};

#define MOG_ERRNO(name, number) LINUX_##name = number,
enum linux_errno {
#include "abi/errno.def"
    LINUX_ERRNO_END
};

#endif
