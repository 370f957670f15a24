echo 'int f(int x) { return x + 1; }' >f.c
echo 'int f(int); int main(void) { return f(8); }' >main.c
mogcc -O2 -flto f.c main.c
status 9 ./a.out
