/* native.c: functions of the host that PEs call by name. */
#include <errno.h>
#include <mog.h>

#include "calls.h"

int mog_native(const char *name) { return CALL1(mog_native, name); }

/* As linux_call6() with an argument more. Its result may be any word: whether it is an error, only $a3 says. */
int __mog_native_words(int f, int a, int b, int c, int d, int e, int g) {
    register int v0 __asm__("$2") = LINUX_mog_native_call;
    register int r4 __asm__("$4") = f;
    register int r5 __asm__("$5") = a;
    register int r6 __asm__("$6") = b;
    register int r7 __asm__("$7") = c;
    register int r8 __asm__("$8") = d;
    register int r9 __asm__("$9") = e;
    register int r10 __asm__("$10") = g;
    __asm__ volatile("addiu $sp, $sp, -32\n\tsw $8, 16($sp)\n\tsw $9, 20($sp)\n\tsw $10, 24($sp)\n\tsyscall\n\taddiu $sp, $sp, 32"
                     : "+r"(v0), "+r"(r7), "+r"(r8), "+r"(r9), "+r"(r10)
                     : "r"(r4), "r"(r5), "r"(r6)
                     : "$1", "$3", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi", "lo", "memory");
    return r7 ? linux_result(-v0) : v0;
}
