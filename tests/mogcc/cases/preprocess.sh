# -E prints; a program can see where it is compiled for, and that it is not Linux.
printf '#ifdef __mog__\nmog\n#endif\n#if defined __linux__ || defined linux\nLinux\n#endif\n' >x.c
mogcc -E -P x.c >out
same "$(cat out)" mog
mogcc -E -P x.c -o y.i
same "$(cat y.i)" mog
