/* sys/wait.h: no process of WASI has children. */
#pragma once
#define WIFEXITED(status) 0
#define WEXITSTATUS(status) 0
#define WIFSIGNALED(status) 0
#define WTERMSIG(status) 0
