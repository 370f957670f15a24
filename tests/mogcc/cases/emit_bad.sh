hello
status 2 mogcc --emit=java hello.c
has err '--emit=java: there are elf, mog, image, opencl, cuda and cpp'
status 2 mogcc --emit=mog -c hello.c
has err 'does not go with -c'
