# Without a compiler for this machine the program lacks one device, and mogcc says so, once.
hello
status 0 env MOG_CXX=no-such-compiler "$MOGCC" hello.c
same "$(wc -l <err)" 1
has err 'warning: no-such-compiler is not here'
same "$(MOG_DEVICE=reference ./a.out)" "hello, 42"
status 0 env MOG_CXX= "$MOGCC" hello.c
same "$(cat err)" ""
