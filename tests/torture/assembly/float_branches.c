/* bc1t, bc1f, their likely forms and all condition codes. */
#include <stdio.h>

#define TRY(code, branch)                                                                                              \
    ({ int r_; __asm__(".set push\n\t.set noreorder\n\tc.lt.d $fcc" #code ", %1, %2\n\t" branch " $fcc" #code          \
                       ", 1f\n\tli %0, 7\n\tli %0, 9\n1:\n\t.set pop" : "=&r"(r_) : "f"(x), "f"(y) : "$fcc" #code); r_; })

int main(void) {
    volatile double v[] = {1, 2};
    for (int i = 0; i < 2; i++) {
        double x = v[i], y = v[1 - i];
        printf("%d %d %d %d ", TRY(0, "bc1t"), TRY(1, "bc1f"), TRY(2, "bc1t"), TRY(7, "bc1f"));
        int r = 1;
        __asm__(".set push\n\t.set noreorder\n\tc.le.d $fcc3, %1, %2\n\tbc1tl $fcc3, 1f\n\tli %0, 2\n\tori %0, %0, 4\n1:\n\t.set pop" : "+r"(r) : "f"(x), "f"(y) : "$fcc3");
        printf("%d\n", r);
    }
    return 0;
}
