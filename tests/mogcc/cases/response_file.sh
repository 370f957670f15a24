# @file stands for its words: quotes, nesting, mogcc's own options.
echo 'int main(void) { return A; }' >'a program.c'
echo '"a program.c" -o prog' >inner
echo '-DA=11 @inner' >outer
mogcc @outer
status 11 ./prog
status 1 mogcc @nowhere
has err 'nowhere'
