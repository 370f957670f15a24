/* features.h: what the headers of g++'s library expect of glibc's. */
#ifndef MOG_FEATURES_H
#define MOG_FEATURES_H

#include <sys/features.h>

#ifdef __cplusplus
#define __GLIBC_PREREQ(major, minor) 0
#endif

#endif
