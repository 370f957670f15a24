
/* ---- added by MOG ---- */
#if defined _GNU_SOURCE && !defined _MOG_ADDED_ERRNO_H
#define _MOG_ADDED_ERRNO_H
extern char *program_invocation_name, *program_invocation_short_name;
#define program_invocation_name program_invocation_name
#define program_invocation_short_name program_invocation_short_name
#endif
