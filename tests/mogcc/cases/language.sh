# -x in both spellings, from a file with a strange suffix and from standard input; -x none ends it.
echo 'int f(void) { return 5; }' >f.txt
echo 'int f(void); int main(void) { return f(); }' >main.c
mogcc -x c f.txt -x none main.c
status 5 ./a.out
echo 'int main(void) { return 6; }' | mogcc -xc - -o six
status 6 ./six
