# -save-temps keeps gcc's files under gcc's names, and the steps after it.
hello
mogcc -save-temps hello.c -o prog
exists prog-hello.i prog-hello.s prog-hello.o prog.mog prog.mog.elf prog.mog.cl prog.mog.cpp prog.mog.image
same "$(./prog)" "hello, 42"
same "$(kind prog.mog.elf)" "EXEC MIPS"
same "$(ls -A "$TMPDIR")" ""
mkdir o
mogcc -save-temps=obj hello.c -o o/prog
exists o/prog-hello.s o/prog.mog
