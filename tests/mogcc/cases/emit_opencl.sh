hello
mogcc -O2 --emit=opencl hello.c -o - >out
has out '__kernel'
has out 'Interpreter for hello.c'
mogcc --emit=opencl hello.c -o a.cl
exists a.cl
absent a.out
