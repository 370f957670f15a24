/* racy.c WAY: data races of the kinds that programs have, one at a time, and beside each the same without one. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, other;
static volatile int table[4];
static char text[64];
static volatile char bytes[8] __attribute__((aligned(4)));
static volatile int flag;
static _Atomic int ready, number;
static int *shared;

typedef void *function(void *);

static void both(function *first, function *second) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

static void *raise_it(void *argument) {
    for (int i = 0; i < 10; ++i) counter++; /* unlocked */
    return argument;
}
static void *raise_locked(void *argument) {
    for (int i = 0; i < 10; ++i) {
        pthread_mutex_lock(&lock);
        counter++; /* locked */
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
static void *raise_atomically(void *argument) {
    for (int i = 0; i < 10; ++i) __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST); /* swapped */
    return argument;
}
static void *set_plainly(void *argument) {
    counter = 5; /* plain */
    return argument;
}

static void *tell_by_flag(void *argument) {
    other = 5; /* set */
    flag = 1; /* told */
    return argument;
}
static void *wait_for_flag(void *argument) {
    while (!flag) continue; /* waited */
    other++; /* used */
    return argument;
}
static void *tell_atomically(void *argument) {
    other = 5;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return argument;
}
static void *wait_atomically(void *argument) {
    while (!atomic_load_explicit(&ready, memory_order_acquire)) continue;
    other++;
    return argument;
}
static void *tell_relaxed(void *argument) {
    other = 5; /* sent */
    atomic_fetch_add_explicit(&ready, 1, memory_order_relaxed);
    return argument;
}
static void *wait_relaxed(void *argument) {
    while (!atomic_load_explicit(&ready, memory_order_relaxed)) continue;
    other++; /* relaxed */
    return argument;
}

static void *first_byte(void *argument) {
    for (int i = 0; i < 10; ++i) bytes[0]++; /* byte */
    return argument;
}
static void *second_byte(void *argument) {
    for (int i = 0; i < 10; ++i) bytes[2]++;
    return argument;
}
static void *all_bytes(void *argument) {
    uint32_t word;
    word = *(volatile uint32_t *)bytes; /* word */
    number += (int)word;
    return argument;
}

static void *fill(void *argument) {
    memset(text, 'x', sizeof text - 1); /* filled */
    return argument;
}
static void *measure(void *argument) {
    number += (int)strlen(text); /* measured */
    return argument;
}

static void *use_and_free(void *argument) {
    *shared = 7; /* heap */
    return argument;
}

static void missing_join(int joins) {
    pthread_t thread;
    pthread_create(&thread, NULL, raise_it, NULL);
    if (joins) pthread_join(thread, NULL);
    other = counter; /* result */
    if (!joins) pthread_join(thread, NULL);
}

static void *third_of_table(void *argument) {
    table[2] = 1; /* element */
    return argument;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    if (!strcmp(way, "unlocked")) both(raise_it, raise_it);
    else if (!strcmp(way, "locked")) both(raise_locked, raise_locked);
    else if (!strcmp(way, "one_side")) both(raise_locked, raise_it);
    else if (!strcmp(way, "atomic")) both(raise_atomically, raise_atomically);
    else if (!strcmp(way, "plain_and_atomic")) both(raise_atomically, set_plainly);
    else if (!strcmp(way, "flag")) both(tell_by_flag, wait_for_flag);
    else if (!strcmp(way, "atomic_flag")) both(tell_atomically, wait_atomically);
    else if (!strcmp(way, "relaxed_flag")) both(tell_relaxed, wait_relaxed);
    else if (!strcmp(way, "bytes")) both(first_byte, second_byte);
    else if (!strcmp(way, "byte_and_word")) both(first_byte, all_bytes);
    else if (!strcmp(way, "library")) both(fill, measure);
    else if (!strcmp(way, "element")) both(third_of_table, third_of_table);
    else if (!strcmp(way, "no_join")) missing_join(0);
    else if (!strcmp(way, "join")) missing_join(1);
    else if (!strcmp(way, "heap")) {
        shared = malloc(sizeof *shared);
        both(use_and_free, use_and_free);
        free(shared);
    } else return 2;
    return 0;
}
