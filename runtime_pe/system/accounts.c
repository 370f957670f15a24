/* accounts.c: users and groups. There is no list of them: the one user that there is has the names of the environment. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct passwd *getpwuid(uid_t uid) {
    static struct passwd user;
    const char *name = getenv("USER"), *home = getenv("HOME");
    if (uid != getuid() || !name) return NULL;
    user.pw_name = (char *)name;
    user.pw_uid = uid;
    user.pw_gid = getgid();
    user.pw_passwd = user.pw_comment = user.pw_gecos = "";
    user.pw_dir = home ? (char *)home : "/";
    user.pw_shell = "/bin/sh";
    return &user;
}

struct passwd *getpwnam(const char *name) {
    struct passwd *user = getpwuid(getuid());
    return user && strcmp(user->pw_name, name) == 0 ? user : NULL;
}

int getgroups(int room, gid_t groups[]) {
    if (room == 0) return 1;
    if (room < 0) {
        errno = EINVAL;
        return -1;
    }
    groups[0] = getgid();
    return 1;
}

char *getlogin(void) { return getenv("LOGNAME"); }

/* Reentrant forms copy a result's strings into the caller's room. */
static int copy(char **place, char **room, size_t *left) {
    size_t bytes = strlen(*place) + 1;
    if (bytes > *left) return ERANGE;
    memcpy(*room, *place, bytes);
    *place = *room;
    *room += bytes;
    *left -= bytes;
    return 0;
}

static int copy_user(struct passwd *found, struct passwd *user, char *room, size_t left, struct passwd **result) {
    *result = NULL;
    if (!found) return 0;
    *user = *found;
    char **strings[] = {&user->pw_name, &user->pw_passwd, &user->pw_comment, &user->pw_gecos, &user->pw_dir, &user->pw_shell};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; ++i)
        if (copy(strings[i], &room, &left)) return ERANGE;
    *result = user;
    return 0;
}

int getpwuid_r(uid_t uid, struct passwd *user, char *room, size_t left, struct passwd **result) {
    return copy_user(getpwuid(uid), user, room, left, result);
}
int getpwnam_r(const char *name, struct passwd *user, char *room, size_t left, struct passwd **result) {
    return copy_user(getpwnam(name), user, room, left, result);
}

/* The list of users has this one. */
static int users_read;
struct passwd *getpwent(void) {
    return users_read++ ? NULL : getpwuid(getuid());
}
void setpwent(void) { users_read = 0; }
void endpwent(void) { users_read = 0; }

/* The names of groups are not known. */
struct group *getgrgid(gid_t gid) {
    return (void)gid, NULL;
}
struct group *getgrnam(const char *name) {
    return (void)name, NULL;
}
int getgrgid_r(gid_t gid, struct group *group, char *room, size_t left, struct group **result) {
    (void)gid, (void)group, (void)room, (void)left;
    *result = NULL;
    return 0;
}
int getgrnam_r(const char *name, struct group *group, char *room, size_t left, struct group **result) {
    return (void)name, getgrgid_r(0, group, room, left, result);
}
struct group *getgrent(void) {
    return NULL;
}
void setgrent(void) {}
void endgrent(void) {}
