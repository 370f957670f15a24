#!/usr/bin/env python3
"""client.py LIBRARY: a client in Python that knows nothing but the driver's functions, as those of Numba and tinygrad do."""
import ctypes
import sys

cuda = ctypes.CDLL(sys.argv[1])
PTX = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry square(.param .u64 values)
{
    .reg .f32 %f<3>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [values];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.f32 %f1, [%rd3];
    mul.rn.f32 %f2, %f1, %f1;
    st.global.f32 [%rd3], %f2;
    ret;
}
"""


def works(result):
    if result:
        name = ctypes.c_char_p()
        cuda.cuGetErrorName(result, ctypes.byref(name))
        sys.exit(f"client.py: {name.value}")


context, module, function, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
works(cuda.cuInit(0))
works(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
works(cuda.cuCtxSetCurrent(context))
works(cuda.cuModuleLoadData(ctypes.byref(module), PTX))
works(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"square"))
values = (ctypes.c_float * 64)(*range(64))
works(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.sizeof(values)))
works(cuda.cuMemcpyHtoD_v2(memory, values, ctypes.sizeof(values)))
parameters = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
works(cuda.cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, None, parameters, None))
works(cuda.cuMemcpyDtoH_v2(values, memory, ctypes.sizeof(values)))
if list(values) != [i * i for i in range(64)]:
    sys.exit(f"client.py: {list(values)}")
