# What cannot work is refused with a sentence that says why.
hello
refused() { # refused TEXT OPTION...
    text=$1
    shift
    status 2 mogcc "$@" hello.c
    has err "$text"
    absent a.out
}
refused "MIPS16 or microMIPS" -mips16
refused "big-endian" -EB
refused "n32" -mabi=n32
refused "64-bit" -mabi=64
refused "shared libraries" -shared
refused "FPU" -msoft-float
refused "-pg" -pg

# A nested function whose address is taken needs code on the stack; gcc says where.
cat >nested.c <<'EOF'
#include <stdio.h>
static int apply(int (*f)(int), int x) { return f(x); }
int main(int argc, char **argv) {
    int add(int x) { return x + argc; }
    printf("%d\n", apply(add, 5));
    return 0;
}
EOF
status 1 mogcc nested.c
has err "trampoline generated for nested function"

