# -D and -U in both spellings.
echo 'int main(void) { return A + B; }' >x.c
mogcc -DA=3 -D B=4 x.c
status 7 ./a.out
status 1 mogcc -DA=3 -D B=4 -UB x.c
has err "'B' undeclared"
status 1 mogcc -DA=3 -D B=4 -U A x.c
has err "'A' undeclared"
