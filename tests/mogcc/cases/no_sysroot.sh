hello
status 1 env MOG_SYSROOT=/nowhere "$MOGCC" hello.c
same "$(cat err)" "mogcc: error: /nowhere holds no C library for PEs; make it with scripts/build-sysroot, or name it in MOG_SYSROOT"
