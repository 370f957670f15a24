hello
status 2 mogcc -shared hello.c
has err 'no shared libraries'
