/* Destructors run after main and after atexit's functions, by falling priority. */
#include <stdio.h>
#include <stdlib.h>

static int mine;
static void say(const char *what) { if (mine) puts(what); }
__attribute__((destructor)) static void first(void) { say("destructor"); }
__attribute__((destructor(300))) static void second(void) { say("destructor 300"); }
__attribute__((destructor(200))) static void third(void) { say("destructor 200"); }
static void at_exit(void) { say("atexit"); }

int main(void) {
    mine = 1;
    atexit(at_exit);
    say("main");
    return 3;
}
