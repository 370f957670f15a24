/* sys/random.h: the system's random bytes. */
#ifndef _SYS_RANDOM_H
#define _SYS_RANDOM_H

#include <sys/cdefs.h>
#include <sys/types.h>

#include <mog_abi/getrandom.h>

__BEGIN_DECLS
ssize_t getrandom(void *, size_t, unsigned);
int getentropy(void *, size_t);
__END_DECLS

#endif
