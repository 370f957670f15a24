status 1 mogcc nowhere.c
has err 'nowhere.c: No such file or directory'
absent a.out
status 1 mogcc nowhere.o
has err 'nowhere.o'
status 1 mogcc
has err 'no input files'
