
/* ---- added by MOG ---- */
#define _CLOCKS_PER_SEC_ 1000000
