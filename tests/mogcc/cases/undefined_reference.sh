echo 'int missing(void); int main(void) { return missing(); }' >x.c
status 1 mogcc x.c -o prog
has err "undefined reference to \`missing'"
absent prog
