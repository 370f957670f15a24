/* time_zone.h: what TZ says about local time. */
#include <time.h>

/* Looks at TZ; `again` 0: only if nobody has yet. */
void __mog_read_tz(int again);
/* What holds at `time`; zones with a file set tzname, timezone and daylight anew. */
struct __mog_local {
    long offset; /* seconds east of Greenwich */
    int is_dst;
    const char *name; /* stays */
};
struct __mog_local __mog_local_at(time_t time);
/* The fields of the second `time` + `offset`. Returns 0 if the year does not fit. */
int __mog_split_time(time_t time, long offset, struct tm *fields);
