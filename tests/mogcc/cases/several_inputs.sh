# C, preprocessed and plain assembly, an object and an archive in one program.
cat >main.c <<'EOF'
#include <stdio.h>
int plain(void), preprocessed(void), object(void), archived(void);
int main(void) { printf("%d\n", plain() + preprocessed() + object() + archived()); }
EOF
printf '\t.globl plain\nplain:\n\tli $2,1\n\tjr $31\n' >a.s
printf '#define VALUE 20\n\t.globl preprocessed\npreprocessed:\n\tli $2,VALUE\n\tjr $31\n' >b.S
echo 'int object(void) { return 300; }' >c.c
echo 'int archived(void) { return 4000; }' >d.c
mogcc -c c.c d.c
mipsel-linux-gnu-ar rc libd.a d.o
mogcc main.c a.s b.S c.o libd.a -o prog
same "$(./prog)" 4321
