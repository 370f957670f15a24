# <mog.h>, newlib's and gcc's own headers are found; an installed MIPS glibc's are not.
for header in mog stdio stdlib string math errno setjmp signal time unistd fcntl sys/stat sys/time limits stddef stdarg stdint float; do
    echo "#include <$header.h>"
done >x.c
mogcc -c -Wall -Wextra -Werror x.c
mogcc -M x.c >out
has out /sysroot/include/mog.h
lacks out /usr/mipsel-linux-gnu
echo '#include <sys/epoll.h>' >y.c
status 1 mogcc -c y.c
has err 'sys/epoll.h: No such file'

# Programs have macros with short names, before our headers are included: they stay, and nothing of ours looks like one.
for header in mpi mog; do
    for letter in A B C D E F G H I J K L M N O P Q R S T U V W X Y Z; do echo "#define $letter mine_$letter"; done >short.c
    cp short.c with.c
    echo "#include <$header.h>" >>with.c
    mogcc -E -dM short.c | sort >before
    mogcc -E -dM with.c | sort >after
    comm -23 before after >out
    same "$(cat out)" ""
    printf '#include <stddef.h>\n#include <stdint.h>\n' >>short.c
    mogcc -E -dM short.c | sort >before
    comm -13 before after | grep -Ev '^#define (_*mog|MOG|P?MPI|MPIX)_' >out || true
    same "$(cat out)" ""
done
