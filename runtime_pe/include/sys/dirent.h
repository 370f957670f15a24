/* sys/dirent.h: directories, for newlib's <dirent.h>. */
#ifndef _SYS_DIRENT_H
#define _SYS_DIRENT_H

#include <sys/types.h>

#define MAXNAMLEN 255
#define _DIRENT_HAVE_D_TYPE

struct dirent {
    ino_t d_ino;
    off_t d_off;                /* how many entries come before the next */
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[MAXNAMLEN + 1];
};

typedef struct __mog_dir DIR;

enum { DT_UNKNOWN = 0, DT_FIFO = 1, DT_CHR = 2, DT_DIR = 4, DT_BLK = 6, DT_REG = 8, DT_LNK = 10, DT_SOCK = 12 };
#define DT_UNKNOWN DT_UNKNOWN
#define DT_FIFO DT_FIFO
#define DT_CHR DT_CHR
#define DT_DIR DT_DIR
#define DT_BLK DT_BLK
#define DT_REG DT_REG
#define DT_LNK DT_LNK
#define DT_SOCK DT_SOCK

#endif
