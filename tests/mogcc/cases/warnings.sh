echo 'int main(void) { int unused; return 0; }' >x.c
status 0 mogcc x.c
same "$(cat err)" ""
status 0 mogcc -Wall x.c
has err '[-Wunused-variable]'
status 1 mogcc -Wall -Werror x.c
status 0 mogcc -Wall -Wno-unused-variable x.c
same "$(cat err)" ""
