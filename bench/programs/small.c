/* small: as little as a program can be: what it costs to start PEs. */
int main(void) { return 0; }
