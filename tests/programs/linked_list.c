/* Linked lists: push, reverse, merge sort, removal through pointers to pointers, a queue and a doubly linked ring (Josephus). */
#include <stdio.h>
#include <stdlib.h>

#include "testing.h"

typedef struct Node { int value; struct Node *next; } Node;

static Node *push(Node *list, int value) {
    Node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}

static Node *reverse(Node *list) {
    Node *result = NULL;
    while (list) { Node *next = list->next; list->next = result; result = list; list = next; }
    return result;
}

static Node *merge(Node *a, Node *b) {
    Node head, *tail = &head;
    while (a && b) {
        Node **smaller = a->value <= b->value ? &a : &b;
        tail->next = *smaller;
        tail = tail->next;
        *smaller = (*smaller)->next;
    }
    tail->next = a ? a : b;
    return head.next;
}

static Node *sort(Node *list) {
    if (!list || !list->next) return list;
    Node *slow = list, *fast = list->next;
    while (fast && fast->next) { slow = slow->next; fast = fast->next->next; }
    Node *second = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(second));
}

static int remove_multiples(Node **list, int of) {
    int removed = 0;
    while (*list) {
        if ((*list)->value % of == 0) { Node *gone = *list; *list = gone->next; free(gone); removed++; }
        else list = &(*list)->next;
    }
    return removed;
}

static void print(const char *name, const Node *list, int limit) {
    printf("%s:", name);
    for (; list && limit--; list = list->next) printf(" %d", list->value);
    printf("%s\n", list ? " ..." : "");
}

typedef struct Person { int number; struct Person *before, *after; } Person;

static int josephus(int people, int step) {
    Person *ring = calloc((size_t)people, sizeof *ring);
    for (int i = 0; i < people; i++) ring[i] = (Person){i + 1, &ring[(i + people - 1) % people], &ring[(i + 1) % people]};
    Person *p = &ring[people - 1];
    for (int left = people; left > 1; left--) {
        for (int i = 0; i < step; i++) p = p->after;
        p->before->after = p->after;
        p->after->before = p->before;
        p = p->before;
    }
    int last = p->after->number;
    free(ring);
    return last;
}

int main(void) {
    Node *list = NULL;
    uint32_t random = 42;
    for (int i = 0; i < 300; i++) list = push(list, (int)(next_random(&random) % 1000));
    print("pushed", list, 10);
    list = reverse(list);
    print("reversed", list, 10);
    list = sort(list);
    print("sorted", list, 10);
    for (int of = 2; of < 8; of++) printf("%d multiples of %d removed\n", remove_multiples(&list, of), of);
    print("left", list, 30);
    uint32_t sum = HASH_START;
    int count = 0;
    while (list) { Node *next = list->next; sum = hash_u32(sum, (uint32_t)list->value); free(list); list = next; count++; }
    printf("%d nodes %08x\n", count, sum);
    for (int n = 1; n <= 41; n += 8) printf("josephus(%d,3) = %d\n", n, josephus(n, 3));
    return 0;
}
