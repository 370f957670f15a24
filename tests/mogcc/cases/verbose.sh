# -v prints the commands, gcc's and ours, and runs them; alone it prints gcc's configuration.
hello
status 0 mogcc -v hello.c
has err cc1
has err '"c++" "-w"'
same "$(./a.out)" "hello, 42"
status 0 mogcc -v
has err 'Target: mipsel-linux-gnu'
