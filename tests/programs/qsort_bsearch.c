/* qsort and bsearch on ints, strings, structures and doubles; ties are broken, because qsort need not be stable. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testing.h"

typedef struct { char name[12]; int age; double weight; } Person;

static int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int by_int_down(const void *a, const void *b) { return by_int(b, a); }
static int by_double(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return (x > y) - (x < y); }
static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }
static int by_byte(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static int by_person(const void *a, const void *b) {
    const Person *p = a, *q = b;
    return p->age != q->age ? p->age - q->age : strcmp(p->name, q->name);
}
static int person_of_age(const void *key, const void *member) { return *(const int *)key - ((const Person *)member)->age; }

int main(void) {
    static const int sizes[] = {0, 1, 2, 3, 7, 50, 300};
    for (int s = 0; s < 7; s++) {
        int values[300], n = sizes[s];
        uint32_t random = 77, sum = HASH_START;
        for (int i = 0; i < n; i++) values[i] = (int)next_random(&random) >> (i % 3 * 10);
        qsort(values, (size_t)n, sizeof *values, by_int);
        for (int i = 0; i < n; i++) sum = hash_u32(sum, (uint32_t)values[i]);
        int ordered = 1;
        for (int i = 1; i < n; i++) ordered &= values[i - 1] <= values[i];
        qsort(values, (size_t)n, sizeof *values, by_int_down);
        printf("%d: %08x %s, largest %d\n", n, sum, ordered ? "ordered" : "NOT ORDERED", n ? values[0] : 0);
    }
    const char *words[] = {"pear", "apple", "fig", "banana", "cherry", "date", "elderberry", "grape", "app", ""};
    qsort(words, 10, sizeof *words, by_text);
    for (int i = 0; i < 10; i++) printf("%s ", words[i]);
    const char *wanted = "date", *missing = "kiwi";
    const char **found = bsearch(&wanted, words, 10, sizeof *words, by_text);
    printf("| %s %s\n", found ? *found : "-", bsearch(&missing, words, 10, sizeof *words, by_text) ? "?" : "-");
    Person people[] = {{"Ada", 36, 55.5}, {"Bob", 25, 80}, {"Cy", 36, 70.25}, {"Dora", 19, 61}, {"Eve", 52, 58}, {"Flo", 25, 66}};
    qsort(people, 6, sizeof *people, by_person);
    for (int i = 0; i < 6; i++) printf("%s(%d, %g) ", people[i].name, people[i].age, people[i].weight);
    for (int age = 18; age < 54; age += 17) {
        Person *p = bsearch(&age, people, 6, sizeof *people, person_of_age);
        printf("%d:%s ", age, p ? p->name : "nobody");
    }
    printf("\n");
    double reals[] = {3.5, -1.25, 1e300, 0.0, -1e-300, 2.5, 1e-300};
    qsort(reals, 7, sizeof *reals, by_double);
    for (int i = 0; i < 7; i++) printf("%g ", reals[i]);
    char letters[] = "sphinx of black quartz judge my vow";
    qsort(letters, sizeof letters - 1, 1, by_byte);
    printf("%s\n", letters);
    return 0;
}
