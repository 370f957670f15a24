
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_STDLIB_H
#define _MOG_ADDED_STDLIB_H
#if __MISC_VISIBLE
_BEGIN_STD_C
int clearenv(void);
int getloadavg(double *, int);
void *valloc(size_t);
struct drand48_data {
    unsigned short __x[3], __old_x[3], __c, __init;
    unsigned long long __a;
};
int drand48_r(struct drand48_data *, double *);
int erand48_r(unsigned short[3], struct drand48_data *, double *);
int lrand48_r(struct drand48_data *, long *);
int nrand48_r(unsigned short[3], struct drand48_data *, long *);
int mrand48_r(struct drand48_data *, long *);
int jrand48_r(unsigned short[3], struct drand48_data *, long *);
int srand48_r(long, struct drand48_data *);
int seed48_r(unsigned short[3], struct drand48_data *);
int lcong48_r(unsigned short[7], struct drand48_data *);
_END_STD_C
#endif
#if __GNU_VISIBLE
_BEGIN_STD_C
char *canonicalize_file_name(const char *);
_END_STD_C
#endif
#endif
