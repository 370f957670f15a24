"""languages.py: the table of programs in C++ and Fortran, and further ones in C, that tests/real/run builds and runs; see programs.py."""
from functools import partial

import table
from table import noise, part, run

# An OpenCL compiler takes longer for the kernel of a large program than all else; those of programs.py have that.
Program = partial(table.Program, devices=("host",))

# Five pigeons in four holes.
PIGEONS = "p cnf 20 45\n" + "".join(" ".join(str(4 * p + h) for h in range(1, 5)) + " 0\n" for p in range(5)) + "".join(
    f"-{4 * p + h} -{4 * q + h} 0\n" for h in range(1, 5) for p in range(5) for q in range(p + 1, 5))
# Queens on a board of 6 by 6.
QUEENS = "p cnf 36 0\n" + "".join(" ".join(str(6 * r + c + 1) for c in range(6)) + " 0\n" for r in range(6)) + "".join(
    f"-{6 * r + c + 1} -{6 * s + d + 1} 0\n" for r in range(6) for c in range(6) for s in range(r, 6) for d in range(6)
    if (s, d) > (r, c) and (s == r or c == d or abs(c - d) == s - r))

JSON = rb"""{"name": "caf\u00e9 \ud83d\ude00", "numbers": [0, -1, 3.25e-7, 1e300, 123456789012345678, 0.1],
 "nested": {"empty": [], "none": null, "yes": true, "deep": [[[[{"a": [1, 2, {"b": "\t\"\\"}]}]]]]}}
"""

CALCULATOR = rb"""
%{
#include <stdio.h>
int yylex(void);
void yyerror(const char *);
%}
%union { double number; int name; }
%token <number> NUMBER
%token <name> NAME
%type <number> expr
%left '+' '-'
%left '*' '/'
%right UMINUS
%%
list: | list line '\n' | list error '\n' { yyerrok; } ;
line: expr { printf("%g\n", $1); } | NAME '=' expr ;
expr: NUMBER | NAME { $$ = $1; } | expr '+' expr { $$ = $1 + $3; } | expr '-' expr { $$ = $1 - $3; }
    | expr '*' expr { $$ = $1 * $3; } | expr '/' expr { $$ = $1 / $3; } | '-' expr %prec UMINUS { $$ = -$2; } | '(' expr ')' { $$ = $2; } ;
%%
"""
AMBIGUOUS = b"%token IF THEN ELSE X\n%%\ns: IF X THEN s | IF X THEN s ELSE s | X ;\n"

SCHEME = rb"""
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define-macro (swap! a b) `(let ((t ,a)) (set! ,a ,b) (set! ,b t)))
(define x 1) (define y 2) (swap! x y)
(display (list x y (fib 12) (call/cc (lambda (k) (+ 1 (k 42)))) (string-append "a" "b") 'sym #\c 1.5 (vector 1 2 3)))
(newline)
(let loop ((i 0)) (if (< i 5) (begin (display (* i i)) (display " ") (loop (+ i 1)))))
(newline)
(car 5)
"""

ED = b"""a
the first line
the second line
a third
.
1,2s/line/LINE &/p
g/the/s//THE/g
,n
2m0
/third/t0
,p
w out
e nothing
H
zzz
Q
"""

JAVASCRIPT = rb"""
var words = 'the quick brown fox jumps over the lazy dog'.split(' ').map(function (w) { return w.toUpperCase(); });
words.sort(); print(words.join(','), JSON.stringify({a: [1, 2.5, null], b: {c: 'x\u00e9'}}), /(\w+)@(\w+)\.com/.exec('me@example.com').slice(1));
print(0.1 + 0.2, 1 / 3, 1e21, (255).toString(16), (0.000001234).toExponential(2), parseInt('7f', 16), -0 === 0, NaN !== NaN);
function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
print(f(12), new Date(0).toISOString(), Math.max.apply(null, [3, 9, 2]), encodeURIComponent('a b&c'));
try { null.x; } catch (e) { print(e instanceof TypeError, e.name); }
var b = new Uint8Array([1, 2, 300]); print(b[2], Object.keys({z: 1, a: 2}));
throw new RangeError('the end');
"""


def lapack(folder, program):
    """How LAPACK's makefiles build one of its test programs of double precision; make's words."""
    return (f"TESTING/{folder}/{program}", *(["-C", where, target, "FC={fc}", "FFLAGS={level} -frecursive -w", "FFLAGS_NOOPT=-O0 -frecursive -w"]
                                             for where, target in (("BLAS/SRC", "double"), ("SRC", "double"), ("TESTING/MATGEN", "double"),
                                                                   (f"TESTING/{folder}", program))))


def blas_input(source, name, shorter):
    """An input of BLAS's own, with the lists of sizes and values made shorter: [(line, its new text)]."""
    lines = (source / name).read_text().splitlines()
    for number, text in shorter:
        lines[number] = text
    return ("\n".join(lines) + "\n").encode()


ZLIB = {"zlib": "adler32.c crc32.c deflate.c gzclose.c gzlib.c gzread.c gzwrite.c inffast.c inflate.c inftrees.c trees.c zutil.c"}

LEVELDB = "db/*.cc table/*.cc util/*.cc"
NOT_LEVELDB = "*_test.cc *_windows.cc testutil.cc leveldbutil.cc histogram.cc"
LEVELDB_OPTIONS = ["-pthread", "-D_FILE_OFFSET_BITS=64", "-I{src}", "-I{src}/include", "-DLEVELDB_PLATFORM_POSIX", "-DHAVE_FDATASYNC=1", "-DHAVE_O_CLOEXEC=1"]

PROGRAMS = [
    # ---- C++ ----
    Program(
        "lzip", "lzip", always=False, files="*.cc", options=['-DPROGVERSION="1.23"', "-I{src}"],
        inputs={"text": part("NEWS"), "noise": noise(700)},
        runs=[
            run("-3 -s64KiB -c text"),
            run("-0 -k text noise", "-t -v text.lz noise.lz", "-l text.lz", "-dc text.lz", many=False, prints="lzip"),
            run("-dc < bad", statuses=(2,), prints="Bad magic", inputs={"bad": b"no such thing\n"}),
        ]),
    Program(        # a solver of SAT
        "minisat", "minisat2", "minisat/core/Main.cc minisat/core/Solver.cc minisat/utils/Options.cc minisat/utils/System.cc", beside=ZLIB,
        options=["-I{src}", "-I{zlib}", "-fpermissive", "-D__STDC_LIMIT_MACROS", "-D__STDC_FORMAT_MACROS", "-DHAVE_UNISTD_H"],
        inputs={"pigeons.cnf": PIGEONS.encode(), "queens.cnf": QUEENS.encode()},
        runs=[
            run("-verb=0 pigeons.cnf", statuses=(20,), prints="UNSATISFIABLE"),
            run("-verb=0 queens.cnf model", statuses=(10,), many=False, prints="SATISFIABLE"),
        ]),
    Program(        # its own tests
        "jsoncpp", "libjsoncpp", "src/lib_json/*.cpp src/test_lib_json/*.cpp", options=["-O1", "-I{src}/include"], always=False,
        runs=[run("", many=False, prints="tests passed")]),
    Program(
        "rapidjson", "rapidjson", always=False, files="example/pretty/pretty.cpp", options=["-I{src}/include"],
        inputs={"t.json": JSON, "bad.json": JSON.replace(b"[]", b"[")},
        runs=[
            run("< t.json", prints="deep"),
            run("< bad.json", prints="Error(", statuses=(1,)),
        ]),
    # A key-value store: the tests of its interface for C; its measurements. Threads of its own write logs and tables when they have a turn.
    Program(
        "leveldb", "leveldb", LEVELDB + " db/c_test.c", options=LEVELDB_OPTIONS, without=NOT_LEVELDB, always=False, uncompared="*",
        runs=[run("", many=False, prints="PASS", env={"TEST_TMPDIR": "."})]),
    Program(
        "db_bench", "leveldb", LEVELDB + " benchmarks/db_bench.cc helpers/memenv/memenv.cc", always=False, uncompared="*",
        options=[*LEVELDB_OPTIONS, "-I{googletest}/googletest", "-I{googletest}/googletest/include", "-I{googletest}/googlemock/include"],
        beside={"googletest": "googletest/src/gtest-all.cc"},
        without=NOT_LEVELDB.replace("testutil.cc", "").replace("histogram.cc", ""), differs=rb"(?m) +\d[\d.]* (micros/op|MB/s)|^(Date|CPU|CPUCache|WARNING): .*\n",
        runs=[run("--num=300 --db=d --benchmarks=fillseq,fillrandom,overwrite,readrandom,readmissing,seekrandom,deleteseq,compact,readseq,crc32c",
                  many=False, prints="fillseq")]),
    # Templates of numerical mathematics: tests of its own, each a part of its files, with matrices of at most 12 rows.
    *(Program(
        f"eigen-{name}", "eigen3", f"test/{name}.cpp", always=name == "jacobi",
        options=["-I{src}", "-I{src}/test", "-DEIGEN_TEST_MAX_SIZE=12", f"-DEIGEN_TEST_PART_{part_of}=1"],
        runs=[run("s7 r1", prints="seed 7")])
      for name, part_of in (("jacobi", 1), ("cholesky", 1), ("lu", 3), ("qr", 2), ("simplicial_cholesky", 1), ("geo_quaternion", 1))),
    # XML: its own tests.
    Program(
        "tinyxml2", "tinyxml2", "tinyxml2.cpp xmltest.cpp", always=False, uncompared="*",
        inputs={f"resources/{name}": part(f"resources/{name}") for name in ("dream.xml", "utf8test.xml", "utf8testverify.xml", "empty.xml", "xmltest-5330.xml", "xmltest-4636783552757760.xml", "xmltest-5662204197076992.xml", "xmltest-5720541257269248.xml")} | {"resources/out/none": b""},
        differs=rb"(?m)^Parsing .*|.*time.*",
        runs=[run("", many=False, prints="Pass")]),
    # ---- Fortran ----
    Program(
        "dblat1", "lapack", "BLAS/TESTING/dblat1.f BLAS/SRC/d[acdrs]*.f BLAS/SRC/d[nr]*.f90 BLAS/SRC/idamax.f BLAS/SRC/sdsdot.f",
        without="dsbmv.f dspmv.f dspr.f dspr2.f dsymm.f dsymv.f dsyr.f dsyr2.f dsyr2k.f dsyrk.f",
        runs=[run("", prints="PASS")]),
    Program(
        "sblat1", "lapack", "BLAS/TESTING/sblat1.f BLAS/SRC/s[acdrs]*.f BLAS/SRC/s[nr]*.f90 BLAS/SRC/isamax.f", always=False,
        without="ssbmv.f sspmv.f sspr.f sspr2.f ssymm.f ssymv.f ssyr.f ssyr2.f ssyr2k.f ssyrk.f scabs1.f scasum.f",
        runs=[run("", prints="PASS")]),
    Program(
        "zblat1", "lapack", """BLAS/TESTING/zblat1.f BLAS/SRC/z[acds]*.f BLAS/SRC/zrotg.f90 BLAS/SRC/izamax.f BLAS/SRC/dzasum.f BLAS/SRC/dznrm2.f90
            BLAS/SRC/dcabs1.f""", always=False, without="zsymm.f zsyr2k.f zsyrk.f",
        runs=[run("", prints="PASS")]),
    Program(
        "dblat2", "lapack", "BLAS/TESTING/dblat2.f BLAS/SRC/d*mv.f BLAS/SRC/dger.f BLAS/SRC/ds[py]r*.f BLAS/SRC/dt*sv.f BLAS/SRC/lsame.f",
        without="dsyr2k.f dsyrk.f", always=False,
        inputs={"in": lambda source: blas_input(source, "BLAS/TESTING/dblat2.in", [(8, "3"), (9, "0 1 5"), (10, "2"), (11, "0 2"), (12, "2"), (13, "1 -2")])},
        runs=[run("< in", many=False)]),
    Program(
        "dblat3", "lapack", "BLAS/TESTING/dblat3.f BLAS/SRC/d??mm.f BLAS/SRC/dtrsm.f BLAS/SRC/dsyr*k.f BLAS/SRC/lsame.f",
        always=False, inputs={"in": lambda source: blas_input(source, "BLAS/TESTING/dblat3.in", [(8, "3"), (9, "0 1 5")])},
        runs=[run("< in", many=False)]),
    # The reference LAPACK: its tests of linear equations, and of eigenvalues and singular values.
    Program(
        "lapack-lin", "lapack", "", make=lapack("LIN", "xlintstd"), writes={"make.inc": ("make.inc.example",)}, differs=rb"Total time used.*", always=False,
        inputs={"in": lambda source: blas_input(source, "TESTING/dtest.in", [
            (1, "4"), (2, "0 1 3 8"), (3, "4"), (4, "0 1 3 8"), (5, "2"), (6, "1 2"), (7, "2"), (8, "1 3"), (9, "1 0"), (10, "2"), (11, "30 90")])},
        runs=[run("< in", many=False, prints="All tests for DHH routines passed")]),
    Program(
        "lapack-eig", "lapack", "", make=lapack("EIG", "xeigtstd"), writes={"make.inc": ("make.inc.example",)}, differs=rb"Total time used.*", always=False,
        inputs={name: part(f"TESTING/{name}") for name in ("dbak.in", "dbal.in", "glm.in", "gqr.in", "lse.in")},
        runs=[run("< dbal.in", prints="DGEBAL"), run("< dbak.in", prints="DGEBAK"),
              run("< glm.in", prints="GLM routines passed"), run("< gqr.in", prints="passed"), run("< lse.in", prints="LSE routines passed")]),
    # ---- C: compressors, editors, interpreters, searches, sets of points ----
    Program(
        "ncompress", "ncompress", always=False, files="compress42.c", options=["-DDIRENT=1", "-DUSERMEM=800000", "-DNOFUNCDEF"],
        inputs={"text": part("Changes"), "noise": noise(600)},
        runs=[
            run("-c -f text", prints="\x1f"),
            run("-v -f text noise", "-d text.Z noise.Z", many=False, statuses=(0, 2)),
            run("-d -c < bad", statuses=(1,), prints="not in compressed format", inputs={"bad": b"no such thing\n"}),
        ]),
    Program(
        "cliquer", "cliquer", "cl.c cliquer.c graph.c reorder.c", inputs={"graph": part("testcase-small.a")},
        runs=[run("-q -q -s graph", prints="size"), run("-q -q -a -m 4 graph")]),
    Program(
        "qhull", "qhull", always=False, files="src/libqhull/*.c src/qhull/unix.c", differs=rb"run-id +\d+", options=["-I{src}/src"],
        inputs={"points": ("3 rbox 40 D3\n40\n" + "".join(f"{a % 97 / 97} {a * a % 89 / 89} {a * a * a % 83 / 83}\n" for a in range(7, 47))).encode()},
        runs=[run("Fx n < points"), run("v o < points"), run("s FS < bad", statuses=(1,), inputs={"bad": b"2 x\n"})]),
    Program(
        "ed", "ed", always=False, files="*.c", options=['-DPROGVERSION="1.19"'], inputs={"script": ED},
        runs=[run("-s < script", many=False, statuses=(0, 1, 2), prints="THE"), run("-s < bad", statuses=(1,), inputs={"bad": b"zzz\n"})]),
    Program(
        "tinyscheme", "tinyscheme", always=False, files="scheme.c", options=["-DUSE_DL=0", "-DUSE_MATH=1", "-DUSE_ASCII_NAMES=0", "-DSTANDALONE=1"],
        inputs={"init.scm": part("init.scm"), "t.scm": SCHEME},
        runs=[run("t.scm", prints="144", statuses=(0, 1, 255))]),
    Program(
        "duktape", "duktape", "src/duktape.c examples/cmdline/duk_cmdline.c extras/print-alert/duk_print_alert.c", always=False,
        options=["-std=c99", "-D_POSIX_C_SOURCE=200809L", "-I{src}/src", "-I{src}/extras/print-alert", "-DDUK_CMDLINE_PRINTALERT_SUPPORT"],
        inputs={"t.js": JAVASCRIPT},
        runs=[run("t.js", prints="RangeError", statuses=(1,)), run("-e 1/", statuses=(1,), prints="SyntaxError")]),
    Program(
        "byacc", "byacc", always=False, files="*.c", without="skel2c btyaccpar.c", options=['-DMAXTABLE=32500', "-DHAVE_STDINT_H=1"],
        writes={"config.h": "#define HAVE_FCNTL_H 1\n#define HAVE_VSNPRINTF 1\n#define MIXEDCASE_FILENAMES 1\n"},
        inputs={"calculator.y": CALCULATOR, "ambiguous.y": AMBIGUOUS},
        runs=[
            run("-v -d -b c calculator.y", many=False),
            run("-v ambiguous.y", many=False, prints="1 shift/reduce"),
            run("bad.y", statuses=(1,), prints="line 2 of", inputs={"bad.y": b"%%\na: 'x\n"}),
        ]),
    Program(        # what a generator of parsers has written
        "calculator", "byacc", "test/yacc/calc.tab.c", options=["-DYYDEBUG=0"], inputs={"sums": b"a = 7\n1 + 2 * 3\n(a - 2) * -4 % 7\n1 +* 2\na | 8\n"},
        runs=[run("< sums", prints="7")]),
]
