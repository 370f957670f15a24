# The same sources and options give the same program, wherever they are; another seed may give another order.
search=
hello
mogcc -O2 --emit=image hello.c -o one
mkdir elsewhere
hello elsewhere/hello.c
(cd elsewhere && "$MOGCC" -O2 --emit=image hello.c -o two)
cmp one elsewhere/two
mogcc -O2 --emit=opencl hello.c -o a.cl
mogcc -O2 --emit=opencl --seed=7 hello.c -o b.cl
has a.cl 'seed 1'
has b.cl 'seed 7'
status 2 mogcc --seed=seven hello.c
has err '--seed: "seven" is not a number'
