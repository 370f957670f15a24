# Machine code for NVIDIA's GPUs: for which, and what is said where it cannot be.
hello
status 2 mogcc --device=abacus hello.c
has err '--device=abacus: there are host and cuda'
status 2 mogcc --cuda-arch=sm_90 hello.c
has err '--cuda-arch goes with --device=cuda'
status 1 env MOG_NVCC=no-such-nvcc "$MOGCC" --device=cuda hello.c
has err 'no-such-nvcc is not here, which $MOG_NVCC names as nvcc'
absent a.out
# One that knows two.
printf '#!/bin/sh\ncase "$*" in *--list-gpu-code*) echo sm_80; echo sm_90 ;; *) echo compute_90 ;; esac\n' >nvcc
chmod +x nvcc
for unknown in sm_75 compute_80 90 sm_90x ''; do
    MOG_NVCC=$PWD/nvcc status 1 mogcc --device=cuda --cuda-arch=sm_80,$unknown hello.c
    has err "--cuda-arch: there is no \"$unknown\"; nvcc here knows compute_90, sm_80, sm_90, and all and all-major"
done
MOG_NVCC="$PWD/nvcc -lineinfo" status 0 mogcc --device=cuda -### hello.c
has err 'nvcc" "-lineinfo" "-cubin" "-arch=sm_80"'
has err '"-ptx" "-arch=compute_90"'
lacks err '"-DMOG_ENGINE_SWITCH"'
# It compiles nothing, which is an error.
printf '#!/bin/sh\n[ $1 = --list-gpu-code ] && echo sm_80 && exit\n[ $1 = --list-gpu-arch ] && exit\nexit 3\n' >nvcc
MOG_NVCC=$PWD/nvcc status 1 mogcc --device=cuda hello.c
has err "could not compile the program's CUDA source (status 3)"
absent a.out

command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || skip "no nvcc for the rest"
mogcc -O2 --device=cuda,host --cuda-arch=sm_90,compute_80 hello.c
same "$(MOG_DEVICE=host ./a.out)" "hello, 42"
python3 - <<'END'
data = open("a.out", "rb").read()


def piece(name):
    """What a piece of the image with this name has: behind the name and its kind, its size in sevens of bits."""
    at, size, shift = data.index(name) + len(name) + 1, 0, 0
    while True:
        size |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return data[at:at + size]


ptx = piece(b"cuda.compute_80")
assert b".target sm_80" in ptx and b".entry mog_run" in ptx and ptx[-1] == 0, ptx[:200]
cubin = piece(b"cuda.sm_90")
assert cubin[:4] == b"\x7fELF" and b"mog_transfer" in cubin
assert b"cuda.sm_75" not in data
END
