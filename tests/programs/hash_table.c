/* A hash table of strings that grows, with deletion: counts the words of a text. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testing.h"

typedef struct Entry { char *key; int count; struct Entry *next; } Entry;
typedef struct { Entry **buckets; unsigned size, used; } Table;

static uint32_t hash_text(const char *s) { return hash_bytes(HASH_START, s, strlen(s)); }

static void grow(Table *t) {
    unsigned size = t->size ? t->size * 2 : 4;
    Entry **buckets = calloc(size, sizeof *buckets);
    for (unsigned i = 0; i < t->size; i++)
        for (Entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            Entry **home = &buckets[hash_text(e->key) & (size - 1)];
            e->next = *home;
            *home = e;
        }
    free(t->buckets);
    t->buckets = buckets;
    t->size = size;
}

static Entry *find(Table *t, const char *key, int create) {
    if (create && t->used >= t->size) grow(t);
    Entry **home = &t->buckets[hash_text(key) & (t->size - 1)];
    for (Entry *e = *home; e; e = e->next)
        if (!strcmp(e->key, key)) return e;
    if (!create) return NULL;
    Entry *e = malloc(sizeof *e);
    *e = (Entry){strdup(key), 0, *home};
    t->used++;
    return *home = e;
}

static int erase(Table *t, const char *key) {
    for (Entry **e = &t->buckets[hash_text(key) & (t->size - 1)]; *e; e = &(*e)->next)
        if (!strcmp((*e)->key, key)) {
            Entry *gone = *e;
            *e = gone->next;
            free(gone->key);
            free(gone);
            t->used--;
            return 1;
        }
    return 0;
}

static int by_count(const void *a, const void *b) {
    const Entry *x = *(Entry *const *)a, *y = *(Entry *const *)b;
    return x->count != y->count ? y->count - x->count : strcmp(x->key, y->key);
}

static const char text[] =
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, "
    "it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of "
    "Darkness, it was the spring of hope, it was the winter of despair";

int main(void) {
    Table table = {0};
    char word[32];
    size_t n = 0;
    for (const char *p = text;; p++) {
        if (isalpha((unsigned char)*p)) { word[n++] = (char)tolower((unsigned char)*p); continue; }
        if (n) { word[n] = 0; find(&table, word, 1)->count++; n = 0; }
        if (!*p) break;
    }
    Entry *all[64];
    unsigned count = 0;
    for (unsigned i = 0; i < table.size; i++)
        for (Entry *e = table.buckets[i]; e; e = e->next) all[count++] = e;
    qsort(all, count, sizeof *all, by_count);
    for (unsigned i = 0; i < count; i++) printf("%s %d\n", all[i]->key, all[i]->count);
    printf("%u words in %u buckets\n", table.used, table.size);
    for (int i = 0; i < 500; i++) { snprintf(word, sizeof word, "key%d", i * 7919 % 1000); find(&table, word, 1)->count = i; }
    int sum = 0, gone = 0;
    for (int i = 0; i < 1000; i++) { snprintf(word, sizeof word, "key%d", i); Entry *e = find(&table, word, 0); if (e) sum += e->count * (i % 7); if (i % 3 == 0) gone += erase(&table, word); }
    printf("%u words in %u buckets, sum %d, erased %d, %s\n", table.used, table.size, sum, gone, find(&table, "key0", 0) ? "there" : "gone");
    return 0;
}
