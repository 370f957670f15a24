# -c takes several sources; with -o gcc refuses them.
hello a.c
echo 'int b;' >b.c
mogcc -c a.c b.c
exists a.o b.o
status 1 mogcc -c a.c b.c -o x.o
has err 'cannot specify'
