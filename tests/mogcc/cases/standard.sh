echo 'int main(void) { for (int i = 0; i < 1; ++i) ; return 0; }' >x.c
status 1 mogcc -std=c89 x.c
has err 'C99'
mogcc -std=c11 -pedantic-errors x.c
./a.out
