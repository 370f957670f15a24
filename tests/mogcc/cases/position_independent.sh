# Makefiles ask for position-independent code out of habit; it means nothing here.
hello
mogcc -fPIC -fPIE -pie hello.c
same "$(./a.out)" "hello, 42"
