"""wasm_instances.py: one or many instances of a WASI program in this process, each by itself, by the Python package of wasmtime.

    wasm_instances.py --compile IN.wasm OUT.cwasm
    wasm_instances.py MODULE.cwasm COUNT FOLDER OUTPUTS STDIN ARGUMENT...

The program sees FOLDER as its current one; instance N writes its standard output to OUTPUTS/N. STDIN is a file, or empty. The status is
that of the last instance that did not end with 0.
"""
import sys

import wasmtime


def run(module, linker, engine, folder, output, stdin, arguments):
    wasi = wasmtime.WasiConfig()
    wasi.argv = arguments
    wasi.preopen_dir(folder, ".")
    wasi.stdout_file = output
    if stdin:
        wasi.stdin_file = stdin
    store = wasmtime.Store(engine)
    store.set_wasi(wasi)
    try:
        linker.instantiate(store, module).exports(store)["_start"](store)
    except wasmtime.ExitTrap as ended:
        return ended.code
    return 0


def main():
    engine = wasmtime.Engine()
    if sys.argv[1] == "--compile":
        with open(sys.argv[3], "wb") as out:
            out.write(wasmtime.Module.from_file(engine, sys.argv[2]).serialize())
        return 0
    path, count, folder, outputs, stdin, *arguments = sys.argv[1:]
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    module, status = wasmtime.Module.deserialize_file(engine, path), 0
    for number in range(int(count)):
        status = run(module, linker, engine, folder, f"{outputs}/{number}", stdin, [path, *arguments]) or status
    return status


if __name__ == "__main__":
    sys.exit(main())
