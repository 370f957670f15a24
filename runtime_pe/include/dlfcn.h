/* dlfcn.h: for programs that can load code and need not. dlopen fails, and dlerror says why. */
#ifndef _DLFCN_H
#define _DLFCN_H

#include <sys/cdefs.h>

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_LOCAL 0
#define RTLD_GLOBAL 4
#define RTLD_DEFAULT ((void *)0)
#define RTLD_NEXT ((void *)-1)

__BEGIN_DECLS
void *dlopen(const char *, int);
void *dlsym(void *__restrict, const char *__restrict);
int dlclose(void *);
char *dlerror(void);
__END_DECLS

#endif
