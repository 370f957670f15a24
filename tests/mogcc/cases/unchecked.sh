# --unchecked: the interpreters do not ask whether addresses are good. What they compute is the same.
cat >misaligned.c <<'END'
#include <stdio.h>
int words[3] = {7, 8, 9};
int main(int argc, char **argv)
{
    volatile int *odd = (volatile int *)((char *)words + 4 + argc);
    printf("%d\n", *odd);
    return 0;
}
END
mogcc -O2 misaligned.c -o checked
mogcc -O2 --unchecked misaligned.c -o unchecked
MOG_DEVICE=host status 138 ./checked
has err "misaligned"
# Undefined, but not a fault.
MOG_DEVICE=host status 0 ./unchecked
# The reference machine checks always.
MOG_DEVICE=reference status 138 ./unchecked

hello
mogcc -O2 --unchecked hello.c
same "$(MOG_DEVICE=host ./a.out)" "hello, 42"
mogcc -O2 --emit=opencl --unchecked hello.c -o unchecked.cl
mogcc -O2 --emit=opencl hello.c -o checked.cl
has unchecked.cl "#define MOG_UNCHECKED"
lacks checked.cl "#define MOG_UNCHECKED"
