/* guest.c: PEs that take numbers from a box that the host fills, and leave what they made of them in a piece of which they tell the host. */
#include <mog.h>

MOG_SHARED int box[16], taken, *results;

int main(void)
{
    if (IPROC == 0) __atomic_store_n(&results, mog_shared_alloc(sizeof box), __ATOMIC_RELEASE);
    int *to;
    while (!(to = __atomic_load_n(&results, __ATOMIC_ACQUIRE))) __asm__ volatile("sll $0, $0, 5"); /* pause */
    for (int i; (i = __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED)) < 16;) to[i] = box[i] * box[i];
    return 0;
}
