/* container_of: from a member's address back to what contains it. */
#include <stddef.h>
#include <stdio.h>

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct link { struct link *next; };
struct item { int value; struct link by_value; char name; struct link by_name; };

int main(void) {
    struct item items[4] = {{4, {0}, 'x'}, {2, {0}, 'z'}, {9, {0}, 'w'}, {1, {0}, 'y'}};
    struct link *values = 0, *names = 0;
    for (int i = 0; i < 4; i++) {
        struct link **at = &values;
        while (*at && container_of(*at, struct item, by_value)->value < items[i].value) at = &(*at)->next;
        items[i].by_value.next = *at, *at = &items[i].by_value;
        for (at = &names; *at && container_of(*at, struct item, by_name)->name < items[i].name;) at = &(*at)->next;
        items[i].by_name.next = *at, *at = &items[i].by_name;
    }
    for (struct link *l = values; l; l = l->next) printf("%d ", container_of(l, struct item, by_value)->value);
    for (struct link *l = names; l; l = l->next) printf("%c ", container_of(l, struct item, by_name)->name);
    puts("");
    return 0;
}
