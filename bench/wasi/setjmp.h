/* setjmp.h: WebAssembly as clang 14 makes it cannot jump. A program that only would, in errors, runs; one that does is trapped. */
#pragma once
typedef int jmp_buf[1], sigjmp_buf[1];
#define setjmp(buffer) ((void)(buffer), 0)
#define sigsetjmp(buffer, save) ((void)(buffer), (void)(save), 0)
#define _setjmp setjmp
#define longjmp(buffer, value) __builtin_trap()
#define _longjmp longjmp
#define siglongjmp longjmp
