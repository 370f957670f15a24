/* collate.c: the order of characters for newlib's regular expressions and patterns: that of the "C" locale, the only one. */
int __collate_load_error = 1; /* no tables */

int __collate_range_cmp(int a, int b) { return (unsigned char)a - (unsigned char)b; }
