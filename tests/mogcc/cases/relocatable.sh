# -r joins objects to one.
echo 'int f(void) { return 3; }' >f.c
echo 'int f(void); int main(void) { return f(); }' >main.c
mogcc -r f.c main.c -o both.o
same "$(kind both.o)" "REL MIPS"
mogcc both.o
status 3 ./a.out
