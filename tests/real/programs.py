"""programs.py: the table of programs in C that tests/real/run builds and runs, a row each; languages.py has those in C++ and Fortran.

Sources are those of Debian's packages, as upstream made them. What ./configure would have found out stands in options and
writes. Inputs are parts of the packages themselves or made here, small, because each is read by an interpreter.
"""
from table import Program, noise, paragraphs, part, run


def related_sequences(count, length):
    """DNA in FASTA: of three families, a few places of each changed."""
    random = noise(length * (count + 3), seed=5)
    families = [random[i * length:(i + 1) * length] for i in range(3)]
    lines = []
    for i in range(count):
        own = random[(3 + i) * length:(4 + i) * length]
        lines.append(f">seq{i}\n" + "".join("ACGT"[(o if o < 24 else f) % 4] for f, o in zip(families[i % 3], own)))
    return ("\n".join(lines) + "\n").encode()


LUA = rb"""
local t = {}
for i = 1, 300 do t[i] = (i * 7919) % 1009 end
table.sort(t)
print(t[1], t[150], t[300], #t, 7 // 2, -7 // 2, 7.5 % -2, 1 << 40, math.maxinteger + 1)
local words = {}
for w in ("the quick brown fox jumps over the lazy dog"):gmatch("%a+") do words[#words + 1] = w:upper():reverse() end
print(table.concat(words, ","), ("x"):rep(3, "-"), ("%5.2f|%-8s|%q|%a"):format(math.pi, "left", "a\nb", 0.1))
local co = coroutine.wrap(function(a) for i = 1, 3 do a = a + coroutine.yield(a) end return "end" end)
print(co(1), co(2), co(3), co(4))
local V = setmetatable({}, {__call = function(_, x) return setmetatable({x = x}, {
    __add = function(a, b) return a.x + b.x end, __lt = function(a, b) return a.x < b.x end}) end})
print(V(3) + V(4), V(1) < V(2), pcall(function() return V(1) .. "" end))
print(pcall(error, {code = 42}), select("#", table.unpack({}, 1, 3)), string.pack("<i4z", 77, "hi"):byte(1, -1))
print(os.time({year = 2001, month = 9, day = 9, hour = 12}), os.date("!%Y-%m-%d %H:%M:%S", 1e9))
local name <const> = os.tmpname()  -- of its own: several PEs do this at a time
local f <close> = assert(io.open(name, "w"))
f:write("lines\n", 12, " ", 0.5, "\n")
f:flush()
for line in io.lines(name) do io.write("[", line, "]\n") end
os.remove(name)
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
print(fib(15), collectgarbage("step"), utf8.char(228, 8364, 128512), utf8.len("\u{e4}\u{20ac}"))
"""


JAVASCRIPT = rb"""
function Point(x, y) { this.x = x; this.y = y; }
Point.prototype.toString = function () { return "(" + this.x + ", " + this.y + ")"; };
var numbers = [];
for (var i = 0; i < 40; ++i) numbers.push((i * 37) % 41 / 8);
numbers.sort(function (a, b) { return a - b; });
print(numbers.join(" "), new Point(0.1 + 0.2, 1e21), JSON.stringify({a: [1, null, "\u00e4\n"], b: {c: 1.5}}));
print("2026-11-21 and 1999-12-31".replace(/(\d+)-(\d+)-(\d+)/g, "$3.$2.$1"), /^(a+)+$/.test("aaaaaaaaab"), parseInt("zz", 36));
print((123.456).toFixed(1), (255).toString(16), 1 / 3, 5e-324, -0 === 0, 0x7fffffff << 1, -1 >>> 28, 1e300 * 1e10);
try { null.x; } catch (e) { print(e); }
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
print(fib(13), JSON.parse("[1, 2, {\"x\": \"y\"}]")[2].x, eval("6 * 7"), encodeURIComponent("a b&\u20ac"));
print(Math.sqrt(2), Math.max.apply(null, numbers), new Date(1e12).toISOString(), typeof undefined, isNaN(parseFloat("x")));
"""

SQL = rb"""
create table parts(id integer primary key, name text, weight real, kind text);
create index by_kind on parts(kind, weight);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 120)
    insert into parts select i, printf('part %03d', i), i * 17 % 23 / 4.0, char(97 + i % 5) from n;
select kind, count(*), sum(weight), min(name), round(avg(weight), 4) from parts group by kind order by 2 desc, 1;
begin; delete from parts where id % 3 = 0; rollback;
update parts set weight = weight + 1 where name like '%7' or kind in ('a', 'e');
select p.name, q.name from parts p join parts q on p.weight = q.weight and p.id < q.id order by 1, 2 limit 5;
.mode column
explain query plan select * from parts where kind = 'b' and weight > 2;
select upper(hex('mog')), quote(1e100), typeof(1/2), 9223372036854775807 + 1, strftime('%Y-%m-%d %H:%M', 1e9, 'unixepoch');
select group_concat(name, '|') from (select name from parts where weight > 6 order by weight, name limit 4);
select json_extract('{"a": [1, 2, {"b": "c"}]}', '$.a[2].b'), substr('abcdef', -3, 2), instr('hello', 'l'), 7 % -3, ~5;
pragma integrity_check;
select no_such_column from parts;
"""

JPEG_CONFIG = """
#define JPEG_LIB_VERSION 62
#define LIBJPEG_TURBO_VERSION 2.1.5
#define LIBJPEG_TURBO_VERSION_NUMBER 2001005
#define C_ARITH_CODING_SUPPORTED 1
#define D_ARITH_CODING_SUPPORTED 1
#define MEM_SRCDST_SUPPORTED 1
#define BITS_IN_JSAMPLE 8
"""
JPEG_INTERNALS = """
#define BUILD "mog"
#define INLINE inline
#define THREAD_LOCAL
#define PACKAGE_NAME "libjpeg-turbo"
#define VERSION "2.1.5"
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define FALLTHROUGH __attribute__((fallthrough));
"""
JPEG_FILES = """jcapimin.c jcapistd.c jccoefct.c jccolor.c jcdctmgr.c jchuff.c jcicc.c jcinit.c jcmainct.c jcmarker.c jcmaster.c
    jcomapi.c jcparam.c jcphuff.c jcprepct.c jcsample.c jctrans.c jdapimin.c jdapistd.c jdatadst.c jdatasrc.c jdcoefct.c jdcolor.c
    jddctmgr.c jdhuff.c jdicc.c jdinput.c jdmainct.c jdmarker.c jdmaster.c jdmerge.c jdphuff.c jdpostct.c jdsample.c jdtrans.c
    jerror.c jfdctflt.c jfdctfst.c jfdctint.c jidctflt.c jidctfst.c jidctint.c jidctred.c jquant1.c jquant2.c jutils.c jmemmgr.c
    jmemnobs.c jaricom.c jcarith.c jdarith.c jsimd_none.c"""

# A picture: "P6 width height 255" and its bytes.
PICTURE = b"P6\n48 40\n255\n" + bytes((x * 5 * c + y * y // (c + 1)) & 255 for y in range(40) for x in range(48) for c in range(3))

CHESS = b"""xboard
protover 2
new
force
sd 5
e2e4
e7e5
g1f3
go
quit
"""

XML = b"""<?xml version="1.0"?>
<!DOCTYPE doc [<!ELEMENT doc (a|b)*><!ENTITY e "<b>entity &#228;</b>"><!ATTLIST a kind CDATA "default" id ID #IMPLIED>]>
<doc xmlns:x="urn:x"><!-- comment --><a id="i1" kind='two "quoted"'>text &amp; &e; ]]&gt;</a><x:a/><![CDATA[<raw>]]>
<?target instruction?></doc>
"""

TINY_C = b"""int printf(const char *, ...);
struct pair { int a; char b[3]; long long c; };
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
double half(double x, float y) { return x / 2 + y * 0.1; }
int main(int argc, char **argv) {
    struct pair p = {argc, "ab", 1LL << 40};
    int table[] = {1, 2, [5] = 6}, sum = 0;
    for (unsigned i = 0; i < sizeof table / sizeof *table; ++i) switch (i) { case 2 ... 4: continue; default: sum += table[i]; }
    return printf("%d %s %f\\n", gcd(sum, 6), argv[0], half(p.c, 2.5f)) > 0 ? 0 : p.b[1];
}
"""

# Five pigeons do not fit into four holes.
PIGEONS = "p cnf 20 45\n" + "".join(" ".join(str(4 * p + h) for h in range(1, 5)) + " 0\n" for p in range(5)) + "".join(
    f"-{4 * p + h} -{4 * q + h} 0\n" for h in range(1, 5) for p in range(5) for q in range(p + 1, 5))

PROGRAMS = [
    # ---- compressors ----
    Program(
        "bzip2", "bzip2", "blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c bzip2.c",
        inputs={"text": part("manual.xml", 20000), "noise": noise(3000)},
        runs=[
            run("-c -1 text"),
            run("-k text noise", "-t -v text.bz2 noise.bz2", "-dc text.bz2", many=False, prints="bzip2"),
            run("-dc < bad", statuses=(2,), prints="not a bzip2 file", inputs={"bad": b"no such thing\n"}),
        ]),
    Program(
        "minigzip", "zlib", "*.c test/minigzip.c", options=["-I{src}", "-DHAVE_UNISTD_H"],
        inputs={"text": part("FAQ", 9000), "noise": noise(1000)},
        runs=[
            run("-9 < text"),
            run("text noise", "-d text.gz noise.gz", many=False),
            run("-d < bad", inputs={"bad": b"\x1f\x8b\x08\0\0\0\0\0\0\3damaged"}, statuses=(1,), prints="minigzip"),
        ]),
    Program(
        "lz4", "lz4", "programs/*.c lib/*.c", options=["-I{src}/lib"],
        inputs={"text": part("NEWS", 12000)},
        runs=[
            run("-9 -c text"),
            run("-q -k -B4 text text.lz4", "-q -t text.lz4", "-dc text.lz4", many=False, prints="perf"),
        ]),
    Program(        # C++, threads that share queues
        "pbzip2", "pbzip2", "pbzip2.cpp BZ2StreamScanner.cpp ErrorContext.cpp",
        beside={"bzip2": "blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c"},
        options=["-pthread", "-DUSE_STACKSIZE_CUSTOMIZATION", "-I{bzip2}"],
        inputs={"text": lambda source: (source / "pbzip2.cpp").read_bytes()[:150000]},
        runs=[
            run("-p4 -b1 -c -q text", many=False, prints="BZh"),
            run("-p3 -b1 -k -q text", "-p2 -d -c text.bz2", many=False, prints="pbzip2"),
            # With -c it is a race of its own threads, under glibc too, whether what is no bzip2 file is handed on or nothing is.
            run("-p2 -t < bad", "-p2 -d -k bad.bz2", many=False, statuses=(1, 2), prints="bzip2",
                inputs={"bad": b"no such thing\n", "bad.bz2": b"no such thing\n"}),
        ]),
    # ---- interpreters, compilers ----
    Program(
        "lua", "lua5.4", "src/*.c", without="luac.c", options=["-DLUA_USE_POSIX", "-DLUA_USE_DLOPEN"],
        inputs={"t.lua": LUA},
        runs=[
            run("t.lua", prints="610"),
            run("- < t.lua"),
            run("-e error('x')", statuses=(1,), prints="traceback"),
        ]),
    Program(
        "mujs", "mujs", "one.c main.c", inputs={"t.js": JAVASCRIPT},
        runs=[
            run("t.js", prints="TypeError"),
            run("no.js", statuses=(1,), prints="no.js"),
        ]),
    Program(
        "tcc", "tcc", "tcc.c", writes={"config.h": '#define TCC_VERSION "0.9.27"\n'},
        options=["-DONE_SOURCE=1", "-DTCC_TARGET_I386", "-DCONFIG_TCC_STATIC"],
        inputs={"t.c": TINY_C},
        runs=[
            run("-nostdinc -c t.c -o t.o", many=False),
            run("-nostdinc -E t.c", prints="gcd"),
            run("-nostdinc -c bad.c", inputs={"bad.c": b"int main() { return x; }\n"}, statuses=(1,), prints="'x' undeclared"),
        ]),
    # ---- data ----
    Program(
        # -O1: gcc takes a minute with -O2, for MOG and for glibc.
        "sqlite", "fossil", "extsrc/shell.c extsrc/sqlite3.c", options=["-O1", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"],
        inputs={"t.sql": SQL},
        runs=[
            run("< t.sql", statuses=(1,), prints="SEARCH parts USING"),
            run("new.db < t.sql", "new.db .dump", many=False, statuses=(0, 1), prints="CREATE INDEX"),
        ]),
    Program(
        "xmlwf", "expat", "expat/lib/xml*.c expat/xmlwf/xmlwf.c expat/xmlwf/xmlfile.c expat/xmlwf/codepage.c expat/xmlwf/unixfilemap.c",
        writes={"expat_config.h": "#define XML_NS 1\n#define XML_DTD 1\n#define XML_CONTEXT_BYTES 1024\n#define XML_POOR_ENTROPY 1\n"},
        options=["-I{src}/expat/lib"],
        inputs={"t.xml": XML, "bad.xml": XML.replace(b"</a>", b"")},
        runs=[
            run("-m t.xml"),
            run("bad.xml", prints="mismatched tag", statuses=(2,)),
        ]),
    Program(
        "pcre2test", "pcre2", "src/pcre2_*.c src/pcre2posix.c src/pcre2test.c pcre2_chartables.c",
        without="pcre2_dftables.c pcre2_jit_match.c pcre2_jit_misc.c pcre2_jit_test.c pcre2_fuzzsupport.c pcre2_printint.c pcre2_ucptables.c",
        writes={"pcre2.h": ("src/pcre2.h.generic",), "config.h": ("src/config.h.generic",),
                "pcre2_chartables.c": ("src/pcre2_chartables.c.dist",)},
        options=["-O1", "-I{src}/src", "-DHAVE_CONFIG_H", "-DHAVE_STRERROR", "-DPCRE2_CODE_UNIT_WIDTH=8", "-DSUPPORT_PCRE2_8", "-DSUPPORT_UNICODE"],
        inputs={"t": paragraphs("testdata/testinput1", 5000)},
        runs=[run("-q t", prints="No match")]),
    # ---- pictures, sums ----
    Program(
        "cjpeg", "libjpeg-turbo", JPEG_FILES + " cjpeg.c cdjpeg.c rdbmp.c rdgif.c rdppm.c rdswitch.c rdtarga.c",
        writes={"jconfig.h": JPEG_CONFIG, "jconfigint.h": JPEG_INTERNALS, "jversion.h": ("jversion.h.in",)},
        options=["-I{src}", "-DPPM_SUPPORTED", "-DBMP_SUPPORTED", "-DGIF_SUPPORTED", "-DTARGA_SUPPORTED"],
        inputs={"p.ppm": PICTURE},
        runs=[
            run("-quality 80 -optimize p.ppm"),
            run("-progressive -dct float < p.ppm"),
        ]),
    Program(
        "djpeg", "libjpeg-turbo", JPEG_FILES + " djpeg.c cdjpeg.c rdcolmap.c rdswitch.c wrbmp.c wrgif.c wrppm.c wrtarga.c",
        writes={"jconfig.h": JPEG_CONFIG, "jconfigint.h": JPEG_INTERNALS, "jversion.h": ("jversion.h.in",)},
        options=["-I{src}", "-DPPM_SUPPORTED", "-DBMP_SUPPORTED", "-DGIF_SUPPORTED", "-DTARGA_SUPPORTED"],
        inputs={"p.jpg": part("testimages/testorig.jpg")},
        runs=[
            run("-outfile p.ppm p.jpg", many=False),
            run("-scale 1/4 -gif p.jpg"),
        ]),
    Program(
        "xxhsum", "xxhash", "cli/*.c xxhash.c", options=["-I{src}", "-I{src}/cli"],
        inputs={"text": part("README.md", 8000), "noise": noise(5000)},
        runs=[
            run("-H0 text noise"),
            run("-H3 text noise", "-H2 --tag text"),
            run("-c sums", inputs={"sums": b"0123456789abcdef  text\n"}, statuses=(1,), prints="FAILED"),
        ]),
    # ---- search ----
    Program(
        "picosat", "picosat", "picosat.c main.c app.c version.c",
        writes={"config.h": '#define PICOSAT_CC "cc"\n#define PICOSAT_CFLAGS "-O2"\n#define PICOSAT_VERSION "965"\n'},
        options=["-DNDEBUG"],
        inputs={"pigeons.cnf": PIGEONS.encode()},
        runs=[run("pigeons.cnf", statuses=(20,), prints="UNSATISFIABLE")]),
    # ---- with threads ----
    Program(
        "fasttree", "fasttree", "fasttree.c", options=["-DOPENMP", "-fopenmp"],     # OpenMP
        inputs={"aligned": related_sequences(10, 100)},
        runs=[
            run("-nt -quiet -nopr aligned", env={"OMP_NUM_THREADS": "3"}, prints="seq1:"),
        ]),
    Program(        # OpenMP: threads that take the next of what is left to sort
        "divsufsort", "libdivsufsort", "lib/*.c examples/mksary.c", differs=rb"[\d.]+ sec", devices=("host",),
        options=["-fopenmp", "-I{src}/include", '-DPROJECT_VERSION_FULL="2.0.1"', "-DINLINE=inline",
                 *(f"-DHAVE_{name}_H=1" for name in ("INTTYPES", "STDDEF", "STDINT", "STDLIB", "STRING"))],
        writes={
            "divsufsort.h": ("include/divsufsort.h.cmake", {
                "@W64BIT@": "", "@INCFILE@": "#include <inttypes.h>", "@DIVSUFSORT_EXPORT@": "", "@DIVSUFSORT_IMPORT@": "", "@SAUCHAR_TYPE@": "uint8_t",
                "@SAINT32_TYPE@": "int32_t", "@SAINDEX_TYPE@": "int32_t", "@SAINT_PRId@": "PRId32", "@SAINDEX_PRId@": "PRId32"}),
            "lfs.h": ("include/lfs.h.cmake", {"@LFS_OFF_T@": "long", "@LFS_FOPEN@": "fopen", "@LFS_FTELL@": "ftell", "@LFS_FSEEK@": "fseek",
                                              "@LFS_PRID@": '"ld"'}),
        },
        inputs={"text": part("lib/sssort.c", 12000), "noise": noise(3000)},
        runs=[
            run("text sorted", "noise sorted_noise", many=False, env={"OMP_NUM_THREADS": "4"}, prints="3000 bytes"),
        ]),
    # ---- by their own build systems ----
    Program(
        "bc", "bc", "", configure=("bc/bc", "SUBDIRS=lib bc"), expected="elf",
        inputs={"t.b": b"scale=40\nprint 4*a(1), \"\\n\"\ne(1)\nsqrt(2)\ndefine f(n) { if (n < 2) return (1); return (n * f(n - 1)) }\nf(60)\n2^200 % 1000007\nobase=16\n255.5\nquit\n"},
        runs=[run("-l t.b", prints="3.14159265358979323846264338327950288419")]),
]
