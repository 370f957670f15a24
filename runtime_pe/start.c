/* start.c: from the startup block to main and on to exit. */
#include <stdlib.h>

extern int main(int argc, char **argv, char **envp);
extern void __libc_init_array(void);

extern char **environ;     /* newlib has it */

/* newlib's __libc_init_array and exit call these two; everything we have to do is in .init_array and .fini_array. */
void _init(void) {}
void _fini(void) {}

/* `block` is what $sp pointed at: argc, argv[argc], 0, envp[], 0, auxv[]. */
_Noreturn void __mog_start(unsigned *block) {
    int argc = (int)block[0];
    char **argv = (char **)(block + 1);
    environ = argv + argc + 1;
    __libc_init_array();
    exit(main(argc, argv, environ));
}
