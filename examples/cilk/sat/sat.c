/* sat: how many assignments satisfy a formula? Each branch of the search may end at once or take long, and which does is not known before: so each
 * value that is tried is a spawn, and workers that have nothing left to do take branches from those who have.
 *
 *   sat [VARIABLES [CLAUSES [SEED]]]     a random formula with three literals in each clause
 *   sat FILE                             a formula in DIMACS's form
 *
 * What is found goes to reducers: how many models there are, how many branches were looked at, and the first model, in the order in which one worker
 * alone would come to them; so the output is the same for any number of workers. Any compiler of C compiles it, too, without Cilk, if it finds the
 * headers in cilk/ (docs/cilk.md).
 */
#include <cilk/cilk.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARIABLES = 64, MOST_CLAUSES = 1024, MOST_LITERALS = 8 };

/* Literals are 2 v for a variable and 2 v + 1 for its negation. */
static struct clause {
    int count;
    unsigned char literals[MOST_LITERALS];
} clauses[MOST_CLAUSES];
static int variables, clause_count;

/* An assignment: of each variable whether it has a value, and which. */
struct assignment {
    unsigned long long known, values;
};

struct results {
    unsigned long long models, branches;
    struct assignment first;
};
void none(void *view) { memset(view, 0, sizeof(struct results)); }
void together(void *left, void *right) {
    struct results *all = left, *more = right;
    if (!all->models) all->first = more->first;
    all->models += more->models;
    all->branches += more->branches;
}
static struct results cilk_reducer(none, together) found;

static int is_true(struct assignment a, int literal) { return a.known >> literal / 2 & 1 && (a.values >> literal / 2 & 1) == !(literal & 1); }
static int is_false(struct assignment a, int literal) { return a.known >> literal / 2 & 1 && (a.values >> literal / 2 & 1) == (literal & 1); }
static struct assignment with(struct assignment a, int literal) {
    a.known |= 1ull << literal / 2;
    if (!(literal & 1)) a.values |= 1ull << literal / 2;
    return a;
}

/* Gives values to variables that have no choice. Returns whether no clause is false; `open`: a literal of a clause that is neither, or -1. */
static int propagate(struct assignment *a, int *open) {
    for (int changed = 1; changed;) {
        changed = 0;
        *open = -1;
        int fewest = MOST_LITERALS + 1;
        for (const struct clause *clause = clauses; clause < clauses + clause_count; ++clause) {
            int left = 0, literal = 0, satisfied = 0;
            for (int i = 0; i < clause->count && !satisfied; ++i) {
                satisfied = is_true(*a, clause->literals[i]);
                if (!is_false(*a, clause->literals[i])) ++left, literal = clause->literals[i];
            }
            if (satisfied) continue;
            if (left == 0) return 0;
            if (left == 1) {
                *a = with(*a, literal);
                changed = 1;
            } else if (left < fewest) {
                fewest = left;
                *open = literal;
            }
        }
    }
    return 1;
}

static void search(struct assignment a) {
    int open;
    ++found.branches;
    if (!propagate(&a, &open)) return;
    if (open < 0) { /* all clauses are true, whatever the other variables are */
        if (!found.models) found.first = a;
        found.models += 1ull << (variables - __builtin_popcountll(a.known));
        return;
    }
    cilk_spawn search(with(a, open));
    search(with(a, open ^ 1));
}

static int read_formula(const char *path) {
    FILE *file = fopen(path, "r");
    char word[32];
    if (!file) {
        perror(path);
        return 0;
    }
    while (fscanf(file, "%31s", word) == 1) {
        if (!strcmp(word, "c")) {
            if (fscanf(file, "%*[^\n]") == EOF) break;
        } else if (!strcmp(word, "p")) {
            if (fscanf(file, "%*s %d %*d", &variables) != 1 || variables < 1 || variables > MOST_VARIABLES - 1) {
                fprintf(stderr, "%s: 1 to %d variables are possible\n", path, MOST_VARIABLES - 1);
                return 0;
            }
        } else {
            const int literal = atoi(word);
            struct clause *clause = &clauses[clause_count];
            if (literal == 0) {
                if (++clause_count == MOST_CLAUSES) break;
            } else if (abs(literal) > variables || clause->count == MOST_LITERALS) {
                fprintf(stderr, "%s: %s is no literal that can be here\n", path, word);
                return 0;
            } else {
                clause->literals[clause->count++] = 2 * (abs(literal) - 1) + (literal < 0);
            }
        }
    }
    fclose(file);
    return 1;
}

static int make_formula(int argc, char **argv) {
    variables = argc > 1 ? atoi(argv[1]) : 24;
    clause_count = argc > 2 ? atoi(argv[2]) : 80;
    unsigned random = argc > 3 ? atoi(argv[3]) : 1;
    if (variables < 3 || variables >= MOST_VARIABLES || clause_count < 0 || clause_count > MOST_CLAUSES) {
        fprintf(stderr, "usage: sat [VARIABLES (3 to %d) [CLAUSES (up to %d) [SEED]]], or sat FILE\n", MOST_VARIABLES - 1, MOST_CLAUSES);
        return 0;
    }
    for (struct clause *clause = clauses; clause < clauses + clause_count; ++clause)
        while (clause->count < 3) {
            random = random * 1664525 + 1013904223;
            const int literal = (int)((random >> 8) % (2 * variables));
            int is_new = 1;
            for (int i = 0; i < clause->count; ++i) is_new &= clause->literals[i] / 2 != literal / 2;
            if (is_new) clause->literals[clause->count++] = literal;
        }
    return 1;
}

int main(int argc, char **argv) {
    const int is_file = argc > 1 && !isdigit((unsigned char)argv[1][0]);
    if (!(is_file ? read_formula(argv[1]) : make_formula(argc, argv))) return 2;
    search((struct assignment){0, 0});
    printf("%d variables, %d clauses: %llu models, in %llu branches\n", variables, clause_count, found.models, found.branches);
    if (found.models) {
        printf("the first:");
        for (int i = 0; i < variables; ++i)
            if (found.first.known >> i & 1) printf(" %s%d", found.first.values >> i & 1 ? "" : "-", i + 1);
        printf("\n");
    }
    return found.models ? 0 : 1;
}
