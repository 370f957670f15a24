/* locale_names.c: which locales there are: C, and C with multibyte characters in UTF-8. setlocale() and newlocale() refuse all others. */
#include <string.h>
#include <strings.h>

static int is_utf8(const char *charset) { return strcasecmp(charset, "UTF-8") == 0 || strcasecmp(charset, "UTF8") == 0; }

int __mog_has_locale(const char *name);
int __mog_has_locale(const char *name) {
    return strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0 || (strncmp(name, "C.", 2) == 0 && is_utf8(name + 2));
}

/* What "" stands for, of a name in the environment: a user whose locale is not here still has characters in UTF-8, or not. */
const char *__mog_environment_locale(const char *name);
const char *__mog_environment_locale(const char *name) {
    const char *charset = strchr(name, '.');
    if (__mog_has_locale(name)) return name;
    return charset && is_utf8(charset + 1) ? "C.UTF-8" : "C";
}
