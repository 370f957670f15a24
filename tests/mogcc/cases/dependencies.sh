# -M and -MM print and stop; -MD and -MMD write a file on the way, named as gcc names it; -MF and -MT name it otherwise.
echo 'int x;' >x.h
printf '#include <stdio.h>\n#include "x.h"\nint main(void) { return x; }\n' >x.c
mogcc -MM x.c >out
same "$(cat out)" "x.o: x.c x.h"
mogcc -M x.c >out
has out stdio.h
absent a.out x.o
mogcc -MMD -c x.c
same "$(cat x.d)" "x.o: x.c x.h"
mogcc -MD -MF deps -MT target -c x.c
has deps 'target:'
mogcc -MMD x.c -o prog
exists prog prog.d
./prog
