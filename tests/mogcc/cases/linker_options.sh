# -Wl, and -Xlinker reach the linker; sections that nobody needs are gone.
hello
echo 'int never_called_from_anywhere(void) { return 0; }' >>hello.c
mogcc -ffunction-sections -Wl,-Map=map -Xlinker --defsym=extra=5 hello.c
has map 'Linker script and memory map'
mogcc -ffunction-sections --emit=elf -o x.elf hello.c
mipsel-linux-gnu-nm x.elf >out
lacks out never_called_from_anywhere
status 1 mogcc -nostartfiles hello.c
has err '_start'
status 1 mogcc -nodefaultlibs hello.c
has err "undefined reference to \`"
# A program may do without crt0 and libraries.
printf '\t.globl _start\n_start:\n\tli $4,9\n\tli $2,4001\n\tsyscall\n' >start.s
mogcc -nostdlib start.s -o prog
status 9 ./prog
