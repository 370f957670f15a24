/* linux.h: the system-call interface of MIPS Linux (o32), which is what a PE speaks, and its way into newlib's types.
 *
 * The host serves the same calls with the same numbers and structures, which both have from abi/, so a program behaves alike under MOG
 * and under qemu-mipsel.
 */
#ifndef MOG_LINUX_H
#define MOG_LINUX_H

#include "abi/linux.h"
#include "abi/structures.h"

/* Structures of our headers that calls get as they are. */
#define LINUX_SAME_SIZE(own, linux) _Static_assert(sizeof(own) == sizeof(struct linux), "as " #linux)
#define LINUX_SAME_PLACE(own, member, linux, linux_member) \
    _Static_assert(__builtin_offsetof(own, member) == __builtin_offsetof(struct linux, linux_member), "as " #linux "." #linux_member)

/* One system call. Returns its result, or the negative of Linux's error number. */
static inline int linux_call(int number, int a0, int a1, int a2, int a3) {
    register int v0 __asm__("$2") = number;
    register int r4 __asm__("$4") = a0;
    register int r5 __asm__("$5") = a1;
    register int r6 __asm__("$6") = a2;
    register int r7 __asm__("$7") = a3;
    __asm__ volatile("syscall"
                     : "+r"(v0), "+r"(r7)
                     : "r"(r4), "r"(r5), "r"(r6)
                     : "$1", "$3", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi", "lo", "memory");
    return r7 ? -v0 : v0;
}

/* The same with two arguments more, which travel on the stack. */
static inline int linux_call6(int number, int a0, int a1, int a2, int a3, int a4, int a5) {
    register int v0 __asm__("$2") = number;
    register int r4 __asm__("$4") = a0;
    register int r5 __asm__("$5") = a1;
    register int r6 __asm__("$6") = a2;
    register int r7 __asm__("$7") = a3;
    register int r8 __asm__("$8") = a4;
    register int r9 __asm__("$9") = a5;
    __asm__ volatile("addiu $sp, $sp, -32\n\tsw $8, 16($sp)\n\tsw $9, 20($sp)\n\tsyscall\n\taddiu $sp, $sp, 32"
                     : "+r"(v0), "+r"(r7), "+r"(r8), "+r"(r9)
                     : "r"(r4), "r"(r5), "r"(r6)
                     : "$1", "$3", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi", "lo", "memory");
    return r7 ? -v0 : v0;
}

/* The same as POSIX has it: -1 and newlib's errno on failure (convert.c). */
int linux_result(int result);

/* newlib's -> Linux's (convert.c). */
int linux_open_flags(int newlib_flags);
int newlib_open_flags(int linux_flags);

#endif
