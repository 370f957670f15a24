/* sysinfo.c: sysconf()'s answers under the names of <sys/sysinfo.h>; how busy the machine is nobody tells a PE. */
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

int get_nprocs(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
int get_nprocs_conf(void) { return (int)sysconf(_SC_NPROCESSORS_CONF); }
long get_phys_pages(void) { return sysconf(_SC_PHYS_PAGES); }
long get_avphys_pages(void) { return sysconf(_SC_AVPHYS_PAGES); }

int sysinfo(struct sysinfo *to) {
    struct timespec up;
    if (clock_gettime(CLOCK_MONOTONIC, &up) < 0) return -1;
    unsigned long page = (unsigned long)getpagesize();
    *to = (struct sysinfo){.uptime = (long)up.tv_sec,
                           .totalram = (unsigned long)get_phys_pages() * page,
                           .freeram = (unsigned long)get_avphys_pages() * page,
                           .procs = 1,
                           .mem_unit = 1};
    return 0;
}
