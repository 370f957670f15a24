/* See main.c. */
int choose(void) { return 2; }
int setting = 20;
int only_here(void) { return choose() * 100 + setting; }
