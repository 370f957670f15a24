# -v prints the commands, gcc's and ours, and runs them; alone it prints gcc's configuration.
hello
status 0 mogcc -v hello.c
has err cc1
lacks err '"c++"'
same "$(./a.out)" "hello, 42"
status 0 mogcc -v --build-time=0.1 hello.c
has err '"c++" "-w"'
status 0 mogcc -v
has err 'Target: mipsel-linux-gnu'
