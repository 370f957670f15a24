# -I in both spellings, -isystem, -iquote and -include.
mkdir one two three four
echo '#define ONE 1' >one/one.h
echo '#define TWO 2' >two/two.h
echo '#define THREE 4' >three/three.h
echo '#define FOUR 8' >four/four.h
echo '#define FIVE 16' >five.c
printf '#include <one.h>\n#include <two.h>\n#include <three.h>\n#include "four.h"\nint main(void) { return ONE + TWO + THREE + FOUR + FIVE; }\n' >x.c
mogcc -Ione -I two -isystem three -iquote four -include five.c x.c
status 31 ./a.out
