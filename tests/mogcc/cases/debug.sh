# -g keeps line numbers through to the linked program.
hello
mogcc -g --emit=elf hello.c -o hello.elf
mipsel-linux-gnu-readelf -S hello.elf >out
has out .debug_line
mogcc hello.c --emit=elf -o plain.elf
mipsel-linux-gnu-readelf -S plain.elf >out
lacks out .debug_line
