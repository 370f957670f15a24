/* See main.c. */
struct stack;
struct stack *stack_new(void);
void stack_push(struct stack *, int value);
int stack_pop(struct stack *);
void stack_each(const struct stack *, void (*)(int, void *), void *context);
void stack_free(struct stack *);
