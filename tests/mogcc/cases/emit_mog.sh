# The MOG program as text, which mogas reads.
hello
mogcc -O2 --emit=mog hello.c
mogcc -O2 --emit=mog hello.c -o - >printed
cmp a.mog printed
has a.mog main
"$BUILD/bin/mogas" a.mog -o a.image
