
/* ---- added by MOG: setjmp that keeps the signal mask ---- */
#ifndef _MOG_ADDED_SETJMP_H
#define _MOG_ADDED_SETJMP_H
#if __POSIX_VISIBLE
_BEGIN_STD_C
typedef struct {
    jmp_buf registers;
    int has_mask;
    unsigned long mask;
} sigjmp_buf[1];

void __mog_save_mask(sigjmp_buf, int);
void siglongjmp(sigjmp_buf, int) __attribute__((__noreturn__));
#define sigsetjmp(env, save_mask) (__mog_save_mask((env), (save_mask)), setjmp((env)->registers))
#define _setjmp(env) setjmp(env)
#define _longjmp(env, value) longjmp((env), (value))
_END_STD_C
#endif
#endif
