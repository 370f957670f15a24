/* environment.c: setenv() and its like, which newlib lets have a variable without a name, and has no way to take one away by
 * putenv("NAME"). */
#include <errno.h>
#include <reent.h>
#include <stdlib.h>
#include <string.h>

static int has_name(const char *name) {
    if (name && *name && !strchr(name, '=')) return 1;
    errno = EINVAL;
    return 0;
}

int setenv(const char *name, const char *value, int overwrite) { return has_name(name) ? _setenv_r(_REENT, name, value, overwrite) : -1; }

int unsetenv(const char *name) { return has_name(name) ? _unsetenv_r(_REENT, name) : -1; }

int putenv(char *assignment) {
    if (strchr(assignment, '=')) return _putenv_r(_REENT, assignment) == 0 ? 0 : -1;
    unsetenv(assignment);
    return 0;
}
