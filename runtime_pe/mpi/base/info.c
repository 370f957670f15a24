/* info.c: pairs of strings. MPI_INFO_ENV has what a PE knows of how it was started. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_internal.h"
#include "objects.h"

struct pair {
    struct pair *next;
    char *value;
    char key[];
};
struct info {
    struct pair *pairs; /* in the order in which they came */
};

static struct mpi_objects infos = {.first = 0x9c000000u};
static struct info environment;

#define INFO_RETURN(code) MPI_RETURN(MPI_COMM_WORLD, code)

static struct pair **find(struct info *info, const char *key) {
    struct pair **p = &info->pairs;
    while (*p && strcmp((*p)->key, key) != 0) p = &(*p)->next;
    return p;
}

static int set(struct info *info, const char *key, const char *value) {
    struct pair **const place = find(info, key);
    char *const copy = strdup(value);
    struct pair *const p = *place || !copy ? *place : malloc(sizeof *p + strlen(key) + 1);
    if (!copy || !p) {
        free(copy);
        return MPI_ERR_NO_MEM;
    }
    if (*place) {
        free(p->value);
    } else {
        p->next = NULL;
        strcpy(p->key, key);
        *place = p;
    }
    p->value = copy;
    return MPI_SUCCESS;
}

static struct info *find_info(MPI_Info handle) {
    if (handle != MPI_INFO_ENV) return __mog_mpi_object(&infos, handle);
    if (!environment.pairs) {
        char text[MPI_MAX_INFO_VAL + 1];
        snprintf(text, sizeof text, "%d", __mog_mpi_state.world.size);
        set(&environment, "maxprocs", text);
        if (getcwd(text, sizeof text)) set(&environment, "wdir", text);
        set(&environment, "thread_level", "MPI_THREAD_MULTIPLE");
    }
    return &environment;
}

static void remove_first(struct pair **place) {
    struct pair *const p = *place;
    *place = p->next;
    free(p->value);
    free(p);
}

static int check_key(const char *key) { return key && *key && strlen(key) <= MPI_MAX_INFO_KEY ? MPI_SUCCESS : MPI_ERR_INFO_KEY; }

MPI_DEFINE(Info_create, MPI_Info *handle) {
    struct info *const info = calloc(1, sizeof *info);
    if (info && __mog_mpi_add_object(&infos, info, handle)) return MPI_SUCCESS;
    free(info);
    INFO_RETURN(MPI_ERR_NO_MEM);
}

MPI_DEFINE(Info_free, MPI_Info *handle) {
    struct info *const info = handle ? __mog_mpi_object(&infos, *handle) : NULL;
    if (!info) INFO_RETURN(MPI_ERR_INFO);
    while (info->pairs) remove_first(&info->pairs);
    free(info);
    __mog_mpi_remove_object(&infos, *handle);
    *handle = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

MPI_DEFINE(Info_dup, MPI_Info handle, MPI_Info *copy) {
    struct info *const info = find_info(handle);
    if (!info) INFO_RETURN(MPI_ERR_INFO);
    int code = PMPI_Info_create(copy);
    for (const struct pair *p = info->pairs; p && code == MPI_SUCCESS; p = p->next) code = PMPI_Info_set(*copy, p->key, p->value);
    return code;
}

MPI_DEFINE(Info_set, MPI_Info handle, const char *key, const char *value) {
    struct info *const info = handle == MPI_INFO_ENV ? NULL : find_info(handle);
    int code = !info ? MPI_ERR_INFO : check_key(key);
    if (code == MPI_SUCCESS && (!value || strlen(value) > MPI_MAX_INFO_VAL)) code = MPI_ERR_INFO_VALUE;
    INFO_RETURN(code == MPI_SUCCESS ? set(info, key, value) : code);
}

MPI_DEFINE(Info_delete, MPI_Info handle, const char *key) {
    struct info *const info = handle == MPI_INFO_ENV ? NULL : find_info(handle);
    const int code = !info ? MPI_ERR_INFO : check_key(key);
    if (code != MPI_SUCCESS) INFO_RETURN(code);
    struct pair **const p = find(info, key);
    if (!*p) INFO_RETURN(MPI_ERR_INFO_NOKEY);
    remove_first(p);
    return MPI_SUCCESS;
}

/* The value of a key; null in `pair` if there is none. */
static int look(MPI_Info handle, const char *key, const struct pair **pair) {
    struct info *const info = find_info(handle);
    const int code = !info ? MPI_ERR_INFO : check_key(key);
    if (code == MPI_SUCCESS) *pair = *find(info, key);
    return code;
}

MPI_DEFINE(Info_get, MPI_Info handle, const char *key, int length, char *value, int *flag) {
    const struct pair *p;
    const int code = length < 0 ? MPI_ERR_ARG : look(handle, key, &p);
    if (code != MPI_SUCCESS) INFO_RETURN(code);
    *flag = p != NULL;
    if (p) {
        /* Programs have MPI_MAX_INFO_VAL bytes, and say so, though one more may be written. */
        const size_t bytes = strnlen(p->value, (size_t)length);
        memcpy(value, p->value, bytes);
        value[bytes] = 0;
    }
    return MPI_SUCCESS;
}

MPI_DEFINE(Info_get_valuelen, MPI_Info handle, const char *key, int *length, int *flag) {
    const struct pair *p;
    const int code = look(handle, key, &p);
    if (code != MPI_SUCCESS) INFO_RETURN(code);
    *flag = p != NULL;
    if (p) *length = (int)strlen(p->value);
    return MPI_SUCCESS;
}

MPI_DEFINE(Info_get_nkeys, MPI_Info handle, int *count) {
    const struct info *info = find_info(handle);
    if (!info) INFO_RETURN(MPI_ERR_INFO);
    *count = 0;
    for (const struct pair *p = info->pairs; p; p = p->next) ++*count;
    return MPI_SUCCESS;
}

MPI_DEFINE(Info_get_nthkey, MPI_Info handle, int number, char *key) {
    const struct info *info = find_info(handle);
    if (!info) INFO_RETURN(MPI_ERR_INFO);
    const struct pair *p = info->pairs;
    for (int i = 0; p && i < number; i++) p = p->next;
    if (!p || number < 0) INFO_RETURN(MPI_ERR_ARG);
    strcpy(key, p->key);
    return MPI_SUCCESS;
}
