# -L and -l in both spellings; -lm, and those that makefiles name out of habit.
mkdir libs
echo 'int one(void) { return 1; }' >one.c
echo 'int two(void) { return 2; }' >two.c
mogcc -c one.c two.c
mipsel-linux-gnu-ar rc libs/libone.a one.o
mipsel-linux-gnu-ar rc libs/libtwo.a two.o
printf '#include <math.h>\nint one(void), two(void);\nint main(int c, char **v) { return one() + two() + (int)sqrt(15.0 + c); }\n' >main.c
mogcc main.c -Llibs -L libs -lone -l two -lm -lpthread -lrt -ldl
status 7 ./a.out
status 1 mogcc main.c -Llibs -lone
has err "undefined reference to \`two'"
status 1 mogcc main.c -lnone
has err 'cannot find -lnone'
# main() in a library, as test frames have it.
printf 'int one(void);\nint main(void) { return 6 + one(); }\n' >frame.c
mogcc -c frame.c
mipsel-linux-gnu-ar rc libs/libframe.a frame.o
mogcc one.c -Llibs -lframe
status 7 ./a.out
