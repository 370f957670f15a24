#!/bin/sh
# concurrent_service.sh MOGCC MOGRUN EMULATION: with --service=concurrent calls are served while other PEs run, launches end early when
# they have to, and everything else is as it is with calls served between launches.
set -u
mogcc=$1 mogrun=$2
export MOG_CUDA_DRIVER="$3" MOG_NVRTC="$3" MOG_EMULATED_CUDA=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export MOG_CACHE_DIR="$work/cache"
failures=0
fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# PE 0 talks, the others compute for ever; a launch would take minutes.
cat >talk.c <<'C'
#include <mog.h>
#include <stdio.h>
volatile unsigned spin;
int main(void)
{
    char line[80];
    if (IPROC != 0)
        for (;;) spin++;
    for (int i = 0; i < 50; i++) printf("line %d\n", i), fflush(stdout);
    while (fgets(line, sizeof line, stdin)) printf("read %s", line), fflush(stdout);
    printf("end of input\n");
    return 0;
}
C
# Calls of all kinds, by PEs that compute between them, each for another time.
cat >mixed.c <<'C'
#include <fcntl.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
volatile unsigned spin;
static void compute(unsigned n) { while (n--) spin++; }
int main(void)
{
    char name[40], text[40], back[40] = "";
    unsigned sum = 0;
    snprintf(name, sizeof name, "file.%d", IPROC);
    for (int i = 0; i < 12; i++) {
        compute((unsigned)(IPROC * 37 + i * 101) % 2000u * (IPROC % 16 == 3 ? 8u : 1u));
        sum += (unsigned)getppid() + (lseek(99, 0, SEEK_SET) < 0);
        if (i == 3) printf("%d:%d\n", IPROC, i), fflush(stdout);
        if (i == 5) {
            int fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0666);
            sprintf(text, "text of %d", IPROC);
            if (write(fd, text, strlen(text)) < 0 || lseek(fd, 0, SEEK_SET) != 0 || read(fd, back, sizeof back) < 0) return 90;
            close(fd);
            if (strcmp(text, back) != 0) return 91;
            unlink(name);
        }
        if (i == 7 && IPROC % 32 == 1) nanosleep(&(struct timespec){0, 3000000}, NULL);
        if (i == 9 && IPROC == 77) *(volatile int *)0 = 1;
    }
    printf("%d: %u\n", IPROC, sum);
    return (int)sum == 24 ? IPROC % 3 : 92;
}
C
for name in talk mixed; do MOG_CXX= "$mogcc" -O1 --order-time=0 --emit=image $name.c -o $name || exit 1; done

mkfifo in
timeout -s KILL 100 "$mogrun" -n 96 --device=cuda --service=concurrent --slice=2000000000 --timeout=2 talk <in >out 2>err &
exec 3>in
# What it printed is here before it is given anything, and what it is given comes back.
waited=0
until grep -qx 'line 49' out || [ $waited -gt 300 ]; do sleep 0.1; waited=$((waited + 1)); done
grep -qx 'line 49' out || fail "PE 0 waits for the launch of others: $(tail -n 3 out err)"
echo hello >&3
exec 3>&-
wait $!
status=$?
[ $status -eq 124 ] || fail "status $status of a run that --timeout ends, with launches that take longer: $(tail -n 3 err)"
[ "$(tail -n 2 out)" = "read hello
end of input" ] || fail "PE 0 printed $(tail -n 2 out)"

for engine in blocks sequence; do
    for service in clean concurrent; do
        timeout -s KILL 200 "$mogrun" -n 150 --device=cuda --engine=$engine --service=$service --stats=json mixed >out.$service 2>err.$service
        echo $? >>out.$service
        # The order of lines is another, and who of the PEs has the last word.
        sort -o out.$service out.$service
        grep '^{' err.$service | sed 's/.*"system_calls":\([0-9]*\),"system_calls_by_name":\({[^}]*}\).*/\1 \2/' >calls.$service
        grep -v '^{' err.$service | head -n 1 >said.$service
        grep -q "\"service\":\"$service\"" err.$service || fail "--stats does not say that the service was $service"
    done
    cmp out.clean out.concurrent || fail "$engine: other output: $(diff out.clean out.concurrent | head -n 5)"
    cmp said.clean said.concurrent || fail "$engine: other messages"
    # A call that waits for nothing is made once, however often it is looked at.
    cmp calls.clean calls.concurrent || fail "$engine: other calls: $(cat calls.clean calls.concurrent)"
done
[ "$(wc -l <out.clean)" -eq 300 ] || fail "$(wc -l <out.clean) lines"

# All calls are shown, each with its result.
for service in clean concurrent; do
    "$mogrun" -n 40 --device=cuda --service=$service --strace mixed 2>&1 >/dev/null | grep '^\[' | sort >strace.$service
done
cmp strace.clean strace.concurrent || fail "--strace shows other calls"

"$mogrun" -n 2 --device=reference --service=concurrent mixed 2>err && fail "the reference machine has no concurrent service"
grep -q 'reference serves system calls between launches' err || fail "said: $(cat err)"
"$mogrun" -n 2 --device=cuda --service=concurrent --fuel=100 mixed 2>err && fail "fuel goes with concurrent service"
"$mogrun" -n 2 --device=cuda --fuel=1000 --stats mixed 2>&1 | grep -q 'service  *clean' || fail "service with --fuel"
exit $((failures != 0))
