/* views.c: reducers. Strands that may run side by side have a view each of a reducer, made when they use it for the first time; where they
 * meet, views become one in the order that the program has. What comes first of all uses the reducer itself. */
#include <stdlib.h>
#include <string.h>

#include "cilk.h"

struct view {
    struct view *next;
    void *key;   /* the reducer */
    void *value; /* which is the key, or `room` */
    /* Cilk Plus hands the reducer's description on. */
    void *description;
    void (*reduce)(void *left, void *right);
    void (*reduce_by)(void *description, void *left, void *right);
    void (*destroy_by)(void *description, void *view);
    _Alignas(16) char room[];
};

static void reduce(struct view *left, struct view *right) {
    if (left->reduce_by) left->reduce_by(left->description, left->value, right->value);
    else left->reduce(left->value, right->value);
}
static void forget(struct view *view) {
    if (view->destroy_by && view->value != view->key) view->destroy_by(view->description, view->value);
    free(view);
}

/* A pointer to a reducer is one to the view of who has made the pointer, and stands for the reducer elsewhere. */
static struct view **find(struct view **views, void *key) {
    while (*views && (*views)->key != key && (*views)->value != key) views = &(*views)->next;
    return views;
}

static struct view *merge(struct view *left, struct view *right) {
    if (!left) return right;
    while (right) {
        struct view *view = right;
        right = view->next;
        struct view *same = *find(&left, view->key);
        if (same) {
            reduce(same, view);
            forget(view);
        } else {
            view->next = left;
            left = view;
        }
    }
    return left;
}
struct view *cilk_merge(struct view *first, struct view *second, struct view *third) {
    return merge(merge(first, second), third);
}

static void settle(struct view *view) {
    if (view->value != view->key) {
        struct view itself = *view;
        itself.value = view->key;
        reduce(&itself, view);
    }
    forget(view);
}
void cilk_settle(struct worker *own) {
    while (own->views) {
        struct view *view = own->views;
        own->views = view->next;
        settle(view);
    }
}

static struct view *add(struct worker *own, void *key, size_t bytes) {
    struct view *view = aligned_alloc(16, (sizeof *view + bytes + 15) & ~(size_t)15);
    if (!view) cilk_fail("out of memory for a reducer's view of %lu bytes", (unsigned long)bytes);
    memset(view, 0, sizeof *view);
    view->key = key;
    view->value = bytes ? view->room : key;
    view->next = own->views;
    own->views = view;
    return view;
}

/* From here on the strand uses the reducer itself: it has just been declared. */
static struct view *own_itself(struct worker *own, void *key) {
    struct view *view = *find(&own->views, key);
    return view ? view : add(own, key, 0);
}

void *__cilkrts_reducer_lookup(void *key, size_t bytes, void (*identity)(void *), void (*reduce)(void *, void *)) {
    struct worker *own = cilk_self;
    struct view *view = *find(&own->views, key);
    if (view) return view->value;
    if (is_leftmost(own)) return key;
    view = add(own, key, bytes);
    view->reduce = reduce;
    identity(view->value);
    return view->value;
}

void __cilkrts_reducer_register(void *key, size_t bytes, void (*identity)(void *), void (*reduce)(void *, void *)) {
    struct worker *own = cilk_self;
    (void)bytes, (void)identity;
    if (!is_leftmost(own)) own_itself(own, key)->reduce = reduce;
}

void __cilkrts_reducer_unregister(void *key) {
    struct worker *own = cilk_self;
    struct view **link = find(&own->views, key), *view = *link;
    if (!view) return;
    *link = view->next;
    settle(view);
}

/* ---- Cilk Plus in C ---- */

void __cilkrts_hyper_create(__cilkrts_hyperobject_base *base) {
    struct worker *own = cilk_self;
    if (is_leftmost(own)) return;
    struct view *view = own_itself(own, (char *)base + base->__view_offset);
    view->description = base;
    view->reduce_by = base->__c_monoid.reduce_fn;
    view->destroy_by = base->__c_monoid.destroy_fn;
}

void *__cilkrts_hyper_lookup(__cilkrts_hyperobject_base *base) {
    struct worker *own = cilk_self;
    void *key = (char *)base + base->__view_offset;
    struct view *view = *find(&own->views, key);
    if (view) return view->value;
    if (is_leftmost(own)) return key;
    view = add(own, key, base->__view_size);
    view->description = base;
    view->reduce_by = base->__c_monoid.reduce_fn;
    view->destroy_by = base->__c_monoid.destroy_fn;
    base->__c_monoid.identity_fn(base, view->value);
    return view->value;
}

void __cilkrts_hyper_destroy(__cilkrts_hyperobject_base *base) { __cilkrts_reducer_unregister((char *)base + base->__view_offset); }

void __cilkrts_hyperobject_noop_destroy(void *base, void *view) { (void)base, (void)view; }
