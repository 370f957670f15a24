/* array_length.h: of glibc, in our own words. */
#define array_length(array) (sizeof(array) / sizeof(array)[0])
#define array_end(array) ((array) + array_length(array))
