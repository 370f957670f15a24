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
