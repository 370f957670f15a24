# Sources for other builds: a stem of several files, or one file alone.
hello
mogcc -O2 --emit=opencl hello.c
exists a.h a_image.c a.cl
absent a a.out a.cpp a.cu
mkdir folder
printf 'mine\n' >folder/hello
mogcc -O2 --emit=cpp,cuda -MMD hello.c -o folder/hello
exists folder/hello.h folder/hello_image.c folder/hello.cpp folder/hello.cu
absent folder/hello.cl
same "$(cat folder/hello)" mine
exists folder/hello.d
has folder/hello.h '#define HELLO_ENTRY'
lacks folder/hello.h 'OpenCL C'
# Code for several PEs at once, of programs that have loops.
absent folder/hello_lanes.cpp
lacks folder/hello.h lanes
printf 'volatile int n;\nint main(void) { for (int i = 0; i < 1000; i++) n += i; return 0; }\n' >loop.c
export MOG_SIMD=portable
mogcc -O2 --emit=cpp loop.c -o loop
exists loop_lanes.cpp
mogcc -O2 --emit=cpp --simd=none loop.c -o one
absent one_lanes.cpp
status 0 "$BUILD/bin/mogcc" -O2 --emit=cpp --simd=avx2 --double=soft loop.c -o soft
absent soft_lanes.cpp
has err 'there is no code for lanes'
unset MOG_SIMD
# One interpreter, without the rest.
mogcc -O2 --emit=cuda hello.c -o alone.cu
absent alone.h alone_image.c
lacks alone.cu '#include "'
# mogas writes the same of an executable.
mogcc -O2 hello.c -o hello
"$BUILD/bin/mogas" --emit=opencl hello -o again
exists again.h again_image.c again.cl
"$BUILD/bin/mogas" --emit=opencl hello >out
cmp out again.cl
status 2 "$BUILD/bin/mogas" --emit=java hello
has err 'there are image, mog, and opencl, cuda and cpp, which can be a list, but no java'
# A name that C would not take, and two programs in one.
mogcc -O2 --emit=cpp hello.c -o 1.st
has 1.st.h 'extern const mog_parts _1_st_parts;'
# Names that C or the header itself could not do with.
for stem in mog string 'a"b'; do
    status 1 "$BUILD/bin/mogcc" -O2 --emit=cpp hello.c -o "$stem"
    has err "-o $stem: "
    absent "$stem.h"
done
# What the user wrote, where it was compiled with -g: in compiled blocks, before the code of each line.
mogcc -O2 -g --emit=opencl,cpp loop.c -o loop
has loop.cpp '/* loop.c:2 */'
has loop.cl '/* loop.c:2 */'
lacks one.cpp '/* loop.c:2 */'
# A table of contents, all of it true.
for part in launch_abi.h dialect_host.h vocabulary.h blocks.c interpreter.c; do
    has loop.cpp " $part"
    has loop.cpp "/* $part: "
done
