
/* ---- added by MOG: times() counts hundredths of a second ---- */
#define HZ 100
