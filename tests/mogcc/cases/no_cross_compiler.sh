hello
status 1 env MOG_CROSS=no-such-cpu- "$MOGCC" hello.c
same "$(cat err)" "mogcc: error: no-such-cpu-gcc is not here; on Debian: apt-get install gcc-mipsel-linux-gnu (or name another in MOG_CROSS)"
