hello
status 2 mogcc --emit=java hello.c
has err '--emit=java: there are elf, mog, image, and opencl, cuda and cpp, which can be a list'
status 2 mogcc --emit=cpp,mog hello.c
has err '--emit=cpp,mog: there are'
status 1 mogcc --emit=cpp,cuda hello.c -o -
has err '-o -: --emit of several kinds writes several files'
mkdir folder
status 1 mogcc --emit=cpp hello.c -o folder/
has err '-o folder/: the files'
status 2 mogcc --emit=mog -c hello.c
has err 'does not go with -c'
