/* Calls, a jump table, a pointer to a function, a loop, doubles: with lines. */
static int one(int x) { return x + 1; }
static int two(int x) { return x * 3; }
int (*table[])(int) = {one, two};
double scale = 2.5;
char text[] = "seed";

__attribute__((noinline)) int choose(int x, int n)
{
    switch (n) {
    case 0: return x;
    case 1: return x + n;
    case 2: return x * n;
    case 3: return x - 7;
    case 4: return text[x & 3];
    case 5: return (int)(x * scale);
    default: return table[x & 1](n);
    }
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 20; i++)
        sum += choose(sum, i);
    register int number __asm__("$2") = 4001;
    register int status __asm__("$4") = sum;
    __asm__ volatile("syscall" : : "r"(number), "r"(status));
    return sum;
}
