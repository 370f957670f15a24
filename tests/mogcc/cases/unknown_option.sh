# An option that neither of the two knows is gcc's to refuse; one that gcc knows goes through.
hello
status 1 mogcc -fno-such-thing hello.c
has err "unrecognized command-line option '-fno-such-thing'"
mogcc -funroll-loops --param max-unrolled-insns=10 -fno-strict-aliasing hello.c
same "$(./a.out)" "hello, 42"
