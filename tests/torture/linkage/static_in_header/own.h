/* Each file that includes this has a counter of its own. */
static int own_counter;
static inline void count_up(void) { own_counter++; }
