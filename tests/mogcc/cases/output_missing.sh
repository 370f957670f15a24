hello
status 2 mogcc hello.c -o
has err "missing filename after '-o'"
