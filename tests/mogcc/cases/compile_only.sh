# -c gives an ordinary MIPSEL object, named after the source.
hello
mogcc -c hello.c
same "$(kind hello.o)" "REL MIPS"
mipsel-linux-gnu-nm hello.o | grep -q ' T main$'
mogcc -c hello.c -o other.o
cmp hello.o other.o
