# Makefile.inc serves a makefile of two lines.
hello
printf 'include %s/Makefile.inc\nall: hello\n' "$SOURCE" >Makefile
make -s MOGCC="$MOGCC" hello hello.cl hello.mog
same "$(./hello)" "hello, 42"
has hello.cl '__kernel'
has hello.mog main
same "$(make MOGCC="$MOGCC")" "make: Nothing to be done for 'all'."

# Headers count, of programs of one file and of objects in folders; and what is made without a goal is the makefile's own affair.
mkdir lib
printf '#define ANSWER 6\n' >answer.h
printf '#include "answer.h"\nint answer(void) { return ANSWER; }\n' >lib/answer.c
printf '#include "answer.h"\n#include <stdio.h>\nint answer(void);\nint main(void) { printf("%%d %%d\\n", ANSWER, answer()); }\n' >two.c
printf '#include "answer.h"\n#include <stdio.h>\nint main(void) { printf("%%d\\n", ANSWER); }\n' >one.c
printf 'include %s/Makefile.inc\nCPPFLAGS = -I.\nall: one two\ntwo: two.o lib/answer.o\n' "$SOURCE" >Makefile
make -s -j4 MOGCC="$MOGCC"
same "$(./one) $(./two)" "6 6 6"
touch -d '-10 seconds' *.o lib/*.o one two
printf '#define ANSWER 7\n' >answer.h
make -s -j4 MOGCC="$MOGCC"
same "$(./one) $(./two)" "7 7 7"
