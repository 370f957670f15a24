/* All likely branches: the slot runs only when they are taken. */
#include <stdio.h>

#define TRY(branch)                                                                                                          \
    ({ int r_; __asm__(".set push\n\t.set noreorder\n\tli %0, 0\n\t" branch ", 1f\n\tli %0, 5\n\tori %0, %0, 16\n1:\n\t.set pop" \
                       : "=&r"(r_) : "r"(v[i]), "r"(v[j])); r_; })

int main(void) {
    static volatile int v[] = {-3, 0, 8};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            printf("%d %d %d %d %d %d | ", TRY("beql %1, %2"), TRY("bnel %1, %2"), TRY("bltzl %1"), TRY("bgezl %1"), TRY("blezl %2"), TRY("bgtzl %2"));
    puts("");
    return 0;
}
