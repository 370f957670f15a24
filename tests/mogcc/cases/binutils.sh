# mogar, mogranlib, mognm and the others are the MIPS compiler's, those of archives with objects of -flto as well.
PATH=$(dirname "$MOGCC"):$PATH
echo 'int one(void) { return 1; }' >one.c
echo 'int one(void); int two(void) { return 1 + one(); }' >two.c
echo 'int two(void); int main(void) { return two(); }' >main.c
for option in -O1 -flto; do
    rm -f libone.a libtwo.a
    mogcc -O2 $option -c one.c two.c main.c
    mogar rc libone.a one.o
    mogranlib libone.a
    mogar rcs libtwo.a two.o
    mognm libtwo.a >out
    has out 'T two'
    has out 'U one'
    # Archives in the order that ld wants; in any with a group, or named twice.
    mogcc -O2 $option main.o -L. -ltwo -lone
    status 2 ./a.out
    mogcc -O2 $option main.o -L. -Wl,--start-group -lone -ltwo -Wl,--end-group
    status 2 ./a.out
    status 1 mogcc -O2 $option main.o -L. -lone -ltwo
    has err "undefined reference to \`one'"
done
mogcc -c one.c
same "$(mogreadelf -h one.o | grep -c 'MIPS R3000')" 1
mogobjdump -d one.o >out
has out 'jr'
mogobjcopy --redefine-sym one=eins one.o eins.o
mognm eins.o >out
has out 'T eins'
mogsize one.o >out
has out one.o
same "$(mogc++filt _ZN3foo3barEv)" 'foo::bar()'
mogld -r one.o -o again.o
mogstrip -g -o stripped.o one.o
same "$(kind stripped.o)" "REL MIPS"

# Of an executable mogstrip takes names and lines; comments of its interpreters' sources stay. It runs as before.
printf '#include <stdio.h>\nstatic int *nowhere;\n__attribute__((noinline)) int finds_nothing(int *p) { return *p; }\nint main(void) { puts("begins"); fflush(stdout); return finds_nothing(nowhere); }\n' >x.c
mogcc -g x.c -o full
mogstrip full -o bare
status 139 ./bare
same "$(cat out)" begins
has err 'null pointer'
lacks err finds_nothing
lacks err x.c
[ "$(wc -c <bare)" -lt "$(wc -c <full)" ] || fail "nothing was stripped"
status 139 ./full
has err finds_nothing
cp full one
mogstrip --strip-unneeded one one.o
cmp one bare
status 1 mogstrip -o out full one.o
has err 'one file'
status 1 mogstrip none
has err "'none'"
status 1 env MOG_CROSS=no-such- mogar t libone.a
has err 'cannot run no-such-ar'
