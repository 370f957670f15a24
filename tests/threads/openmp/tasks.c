/* tasks.c: tasks of all kinds: with dependences, priorities, in groups and loops, untied, final, merged, detached; and by whom they are waited for. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEAM = 5 };

static int fib(int n) {
    int a, b;
    if (n < 2) return n;
#pragma omp task shared(a) final(n < 6) mergeable
    a = fib(n - 1);
#pragma omp task shared(b) untied
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

struct node {
    int value;
    struct node *left, *right;
};
static struct node *build(int depth, int value) {
    if (!depth) return NULL;
    struct node *node = malloc(sizeof *node);
    node->value = value;
#pragma omp task
    node->left = build(depth - 1, 2 * value);
#pragma omp task
    node->right = build(depth - 1, 2 * value + 1);
#pragma omp taskwait
    return node;
}
static long sum_of(struct node *node) {
    if (!node) return 0;
    long left = 0, right = 0;
#pragma omp taskgroup
    {
#pragma omp task shared(left) if (node->value < 32)
        left = sum_of(node->left);
#pragma omp task shared(right)
        right = sum_of(node->right);
    }
    const long sum = node->value + left + right;
    free(node);
    return sum;
}

static void recursion(void) {
    int result = 0;
    long sum = 0;
    struct node *tree = NULL;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    {
        result = fib(15);
        tree = build(9, 1);
        sum = sum_of(tree);
    }
    printf("fib %d, tree %ld\n", result, sum);
    printf("outside of regions: fib %d\n", fib(10));
}

/* A pipeline, rows and columns of a table, and readers between writers: what came before what is told by the results. */
static void dependences(void) {
    enum { SIZE = 12 };
    static int table[SIZE + 1][SIZE + 1], log_of[200];
    int used = 0, wrong = 0;
    for (int i = 0; i <= SIZE; ++i) table[0][i] = table[i][0] = 1;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    for (int i = 1; i <= SIZE; ++i)
        for (int k = 1; k <= SIZE; ++k)
#pragma omp task depend(in : table[i - 1][k], table[i][k - 1]) depend(out : table[i][k])
            table[i][k] = (table[i - 1][k] + table[i][k - 1]) % 100003;
    printf("table %d\n", table[SIZE][SIZE]);

    int x = 0, readers = 0;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    for (int round = 0; round < 20; ++round) {
#pragma omp task depend(inout : x) shared(x, readers, wrong)
        {
            if (readers != 3 * x) ++wrong;
            ++x;
        }
        for (int reader = 0; reader < 3; ++reader)
#pragma omp task depend(in : x) shared(x, readers, wrong) firstprivate(round)
        {
            if (x != round + 1) ++wrong;
#pragma omp atomic
            ++readers;
        }
    }
    printf("x %d, readers %d, wrong %d\n", x, readers, wrong);

    /* Sets of those that exclude each other, in any order, between others. */
    int total = 0;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    {
#pragma omp task depend(out : total) shared(total)
        total = 1000;
        for (int i = 0; i < 25; ++i)
#pragma omp task depend(mutexinoutset : total) shared(total) firstprivate(i)
            total += i;
#pragma omp task depend(in : total) shared(total, wrong)
        wrong += total != 1300;
    }
    printf("exclusive: %d, wrong %d\n", total, wrong);

    /* Objects, iterators, taskwait with dependences, tasks at once that wait for others. */
    omp_depend_t object;
    int chain = 0;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    {
#pragma omp depobj(object) depend(inout : chain)
        for (int i = 0; i < 30; ++i)
#pragma omp task depend(depobj : object) shared(chain, log_of, used) firstprivate(i)
        {
            log_of[used++] = i;
            chain = chain * 3 % 1009 + i;
        }
#pragma omp depobj(object) update(in)
#pragma omp task depend(depobj : object) shared(chain) if (0)
        printf("chain %d, last %d\n", chain, log_of[used - 1]);
#pragma omp depobj(object) destroy
        int list[10] = {0}, first = 0;
        for (int i = 0; i < 10; ++i)
#pragma omp task depend(out : list[i]) shared(list) firstprivate(i)
            list[i] = i;
#pragma omp task depend(iterator(i = 0 : 10), in : list[i]) shared(list, first)
        for (int i = 0; i < 10; ++i) first += list[i];
#pragma omp task depend(in : first) shared(first)
        {}
#pragma omp taskwait depend(in : list[3])
        if (list[3] != 3) printf("taskwait did not wait\n");
#pragma omp taskwait
        printf("list %d\n", first);
    }
}

static void groups(void) {
    int in_group = 0, outside = 0, missing = 0;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    {
#pragma omp task shared(outside)
        for (int i = 0; i < 10; ++i)
#pragma omp atomic
            ++outside;
#pragma omp taskgroup
        for (int i = 0; i < 20; ++i)
#pragma omp task shared(in_group)
        {
#pragma omp task shared(in_group)
            {
#pragma omp task shared(in_group)
#pragma omp atomic
                ++in_group;
            }
        }
        /* A taskgroup waits for all that descend from its tasks. */
        missing = 20 - in_group;
    }
    printf("group %d, outside %d, missing %d\n", in_group, outside, missing);
}

static void loops(void) {
    enum { COUNT = 300 };
    static int done[COUNT], tasks_of[COUNT];
    int last = -1, wrong = 0, tasks = 0;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    {
#pragma omp taskloop lastprivate(last)
        for (int i = 0; i < COUNT; ++i) {
            ++done[i];
            last = i;
        }
        for (int i = 0; i < COUNT; ++i) wrong += done[i] != 1;
#pragma omp taskloop grainsize(40) shared(tasks)
        for (int i = COUNT - 1; i >= 0; --i) {
            ++done[i];
            tasks_of[i] = omp_get_thread_num();
        }
#pragma omp taskloop num_tasks(7) nogroup firstprivate(wrong)
        for (long long i = 0; i < 3ll * COUNT; i += 3) ++done[i / 3];
#pragma omp taskwait
#pragma omp taskloop simd if (0) collapse(2)
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < COUNT / 3; ++k) ++done[i * (COUNT / 3) + k];
#pragma omp taskloop untied priority(2) num_tasks(strict : 4)
        for (unsigned long long i = 0; i < COUNT; ++i) ++done[i];
    }
    for (int i = 0; i < COUNT; ++i) wrong += done[i] != 5;
    printf("taskloop: last %d, wrong %d\n", last, wrong);
}

static void kinds(void) {
    int value = 3, finals = 0, merged = 0, order = 0, yields = 0, private_sum = 0;
#pragma omp parallel num_threads(TEAM)
    {
#pragma omp single
        {
#pragma omp task final(1) shared(finals)
            {
                finals += omp_in_final();
#pragma omp task shared(finals)
                finals += 10 * omp_in_final();
                finals += 100; /* the one above is done at once */
            }
#pragma omp task if (0) mergeable shared(merged)
            merged = 1 + omp_in_final();
#pragma omp task firstprivate(value) shared(private_sum)
            {
                value += 10;
#pragma omp atomic
                private_sum += value;
            }
            value = 50;
#pragma omp task firstprivate(value) shared(private_sum)
#pragma omp atomic
            private_sum += value;
            for (int i = 0; i < 10; ++i)
#pragma omp task shared(yields) untied
            {
#pragma omp taskyield
#pragma omp atomic
                ++yields;
            }
        }
        /* A barrier waits for all tasks. */
        if (yields != 10) printf("barrier came too early: %d\n", yields);
#pragma omp single
        for (int i = 0; i < 12; ++i)
#pragma omp task priority(i % 3) shared(order)
#pragma omp atomic
            order += i;
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 20; ++i)
#pragma omp task shared(order)
#pragma omp atomic
            ++order;
    }
    printf("finals %d merged %d yields %d order %d private %d\n", finals, merged, yields, order, private_sum);

    /* Detached: over when somebody says so. */
    omp_event_handle_t event;
    int steps = 0, early = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task detach(event) depend(out : steps) shared(steps)
        steps = 1;
#pragma omp task depend(in : steps) shared(steps, early)
        early = steps != 2;
#pragma omp task shared(steps) firstprivate(event)
        {
            int seen = 0;
            while (!seen) {
#pragma omp taskyield
#pragma omp atomic read
                seen = steps;
            }
#pragma omp atomic write
            steps = 2;
            omp_fulfill_event(event);
        }
    }
    printf("detached: steps %d, early %d\n", steps, early);
}

/* Large arguments, aligned ones, arrays of variable length; many more tasks than are kept waiting. */
static void arguments(void) {
    struct {
        char text[300];
    } large;
    int length = 50, variable[length], wrong = 0, count = 0;
    _Alignas(64) char aligned[64];
    memset(large.text, 'x', sizeof large.text);
    memset(aligned, 'a', sizeof aligned);
    for (int i = 0; i < length; ++i) variable[i] = i * i;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    {
        for (int i = 0; i < 20; ++i)
#pragma omp task firstprivate(large, variable, aligned) shared(wrong)
        {
            int here = (size_t)aligned % 64 != 0 || large.text[299] != 'x' || variable[49] != 49 * 49 || aligned[63] != 'a';
            large.text[299] = variable[49] = aligned[63] = 0;
#pragma omp atomic
            wrong += here;
        }
        for (int i = 0; i < 5000; ++i)
#pragma omp task shared(count)
#pragma omp atomic
            ++count;
    }
    printf("arguments: wrong %d, tasks %d\n", wrong, count);
}

int main(void) {
    recursion();
    dependences();
    groups();
    loops();
    kinds();
    arguments();
    return 0;
}
