"""others_table.py: the programs of `bench/run --others`, a row each: none of them was written for MOG.

Sources are those of Debian's packages, as upstream made them; what ./configure would have found out stands in options and writes. The
rows that tests/real has too say so: how they are built stands there. Inputs are parts of the packages, or computed here. All instances run
in one folder, so what a run leaves is on its standard output, or a file that all of them write alike. No row names anything outside that
folder: native programs run with the user's rights, and some unlink what they are to write.
"""
import math
import re
import sys
from collections import namedtuple
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "real"))
import programs as tested  # noqa: E402

KINDS = ("compressor", "codec", "parser", "interpreter", "search", "numeric")

Other = namedtuple("Other", [
    "name",
    "kind",
    "about",
    "source",       # a Source
    "arguments",    # words; `< FILE` at the end
    "inputs",       # name: bytes, or a function of the source's folder
    "status",       # how it ends
    "leaves",       # a file that it writes, compared as its output is; every instance writes the same one
], defaults=(0, None))

# What tests/real/sources.py wants to know of a program to lay it out; the words mean what they mean in tests/real/programs.py.
Source = namedtuple("Source", "package files options without writes", defaults=((), "", {}))

part, noise = tested.part, tested.noise


def made(function, *arguments):
    """An input that is computed when it is wanted."""
    return lambda _source: function(*arguments)


def of_tests(name):
    row = next(program for program in tested.PROGRAMS if program.name == name)
    return Source(row.package, row.files, row.options, row.without, row.writes)


def picture(width, height, colours=3):
    """Of a PPM (PGM with one colour): waves, a grid and some noise."""
    grain, out = noise(width * height), bytearray()
    for y in range(height):
        for x in range(width):
            wave = 96 + 60 * math.sin(x * 0.031) + 60 * math.sin(y * 0.047 + x * 0.011)
            for colour in range(colours):
                light = int(wave * (3 + colour) / 5) + (40 if (x // 24 + y // 24 + colour) % 3 == 0 else 0) + grain[y * width + x] % 8
                out.append(min(255, max(0, light)))
    return b"P%d\n%d %d\n255\n" % (6 if colours == 3 else 5, width, height) + bytes(out)


def bitmap(width, height, grain=0):
    """Of a PBM: blobs with borders smooth, or frayed."""
    dice, out = iter(noise(width * height)), bytearray()
    for y in range(height):
        for x in range(0, width, 8):
            bits = 0
            for i in range(8):
                bits = bits * 2 + (math.sin((x + i) * 0.07) + math.sin(y * 0.05) + math.sin((x + i + y) * 0.023) + grain * next(dice) / 2560 > 0.4 + grain / 20)
            out.append(bits)
    return b"P4\n%d %d\n" % (width, height) + bytes(out)


def sound(samples, rate):
    """16 bits, little-endian, one channel: something like vowels over noise."""
    hiss, out = noise(samples), bytearray()
    for n in range(samples):
        t = n / rate
        pitch = 110 + 30 * math.sin(3 * t)
        voice = sum(math.sin(2 * math.pi * pitch * k * t) / k for k in (1, 2, 3, 5, 8))
        out += int(6000 * voice * (0.6 + 0.4 * math.sin(5 * t)) + (hiss[n] - 128) * 4).to_bytes(2, "little", signed=True)
    return bytes(out)


def wav(samples, rate):
    data = sound(samples, rate)
    header = b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    header += b"".join(n.to_bytes(size, "little") for n, size in ((1, 2), (1, 2), (rate, 4), (2 * rate, 4), (2, 2), (16, 2)))
    return header + b"data" + len(data).to_bytes(4, "little") + data


def points(count, dimensions):
    """In a cube, as rbox writes them."""
    numbers = noise(4 * count * dimensions)
    values = [int.from_bytes(numbers[4 * i:4 * i + 4], "little") / 2 ** 32 - 0.5 for i in range(count * dimensions)]
    lines = [" ".join(f"{v:.9f}" for v in values[i:i + dimensions]) for i in range(0, len(values), dimensions)]
    return "\n".join([str(dimensions), str(count), *lines, ""]).encode()


def graph(vertices, percent):
    """In DIMACS' format: each edge with this probability."""
    dice = iter(noise(vertices * vertices))
    edges = [(i, j) for i in range(1, vertices + 1) for j in range(1, i) if next(dice) * 100 < percent * 256]
    return "".join([f"p edge {vertices} {len(edges)}\n", *(f"e {i} {j}\n" for i, j in edges)]).encode()


def clauses(variables, count):
    """Random 3-SAT."""
    dice = noise(6 * count)
    lines = []
    for c in range(count):
        word = dice[6 * c:6 * c + 6]
        lines.append(" ".join(str((1 + (word[2 * i] + 256 * (word[2 * i + 1] >> 1)) % variables) * (-1 if word[2 * i + 1] & 1 else 1))
                              for i in range(3)) + " 0\n")
    return f"p cnf {variables} {count}\n{''.join(lines)}".encode()


def alignment(sequences, length):
    """DNA in FASTA: each sequence a mutation of an earlier one."""
    dice, made = noise(sequences * length, 7), [bytes(b"ACGT"[b & 3] for b in noise(length))]
    for s in range(1, sequences):
        chance = dice[s * length:(s + 1) * length]
        made.append(bytes(b"ACGT"[c & 3] if c >= 224 else base for c, base in zip(chance, made[(s - 1) // 2])))
    return b"".join(b">s%d\n%s\n" % (i, text) for i, text in enumerate(made))


def repeated_element(document):
    """The root of an XML document, without what stands before it, some times."""
    return re.sub(rb"&\w+;", b"x", document[document.rindex(b"<refentry>"):]) * 6


def yaml(records):
    return "".join(f"- name: &n{i} record {i}\n  'quoted': \"a\\tb \\u00e9 {i}\"\n  list: [1, 2.5, ~, {{x: y, z: [{i}]}}]\n  text: |\n"
                   f"    lines of\n      text {i * 7919 % 997}\n  ref: *n{i}\n  ? complex key\n  : !!str value\n"
                   for i in range(records)).encode()


def functions(count):
    """The C program of tests/real, with so many functions more."""
    return tested.TINY_C + b"".join(
        b"int f%d(int a, int *b) { int s = %d; for (int i = 0; i < a; ++i) { if (b[i] > s) s += b[i] * %d; else s ^= b[a - i] << 2; }"
        b" return s ? f%d(s & 7, b) + a : s; }\n" % (i, i * 7919, i, i - 1 if i else 0) for i in range(count))


def html(sections):
    return ("<html><head><title>t</title><body>" + "".join(
        f"<h2>Part {i}<p>Some <b>bold <i>and</b> italic</i> text &amp; entity &eacute; <a href='x.html?{i}&y=2'>link</a>\n"
        f"<ul><li>one<li>two <img src=a.png><table><tr><td>{i * 31}<td align=right>cell</table></ul><br><font color=red>old</font>"
        for i in range(sections))).encode()


LUA = b"""
local function queens(n)
  local count, a = 0, {}
  local function ok(row, col)
    for i = 1, row - 1 do
      if a[i] == col or a[i] - i == col - row or a[i] + i == col + row then return false end
    end
    return true
  end
  local function place(row)
    if row > n then count = count + 1 return end
    for col = 1, n do
      if ok(row, col) then a[row] = col place(row + 1) end
    end
  end
  place(1)
  return count
end
print(queens(7))
local words = {}
for i = 1, 3000 do
  local word = ("%x"):format(i * 7919 % 4093)
  words[word] = (words[word] or 0) + #word
end
local keys = {}
for word in pairs(words) do keys[#keys + 1] = word end
table.sort(keys)
print(#keys, keys[1], keys[#keys], table.concat(keys, ","):gsub("[a-f]+", "%0."):sub(1, 60))
local x = 0
for i = 1, 60000 do x = x + 1 / (i * i) end
print(("%.12f"):format(x))
"""

JAVASCRIPT = b"""
function Tree(depth) { this.left = depth ? new Tree(depth - 1) : null; this.right = depth ? new Tree(depth - 1) : null; }
Tree.prototype.count = function () { return 1 + (this.left ? this.left.count() + this.right.count() : 0); };
print(new Tree(9).count());
var sieve = [], primes = 0;
for (var i = 2; i < 6000; ++i) {
    if (sieve[i]) continue;
    ++primes;
    for (var j = i * i; j < 6000; j += i) sieve[j] = true;
}
print(primes);
var text = "";
for (i = 0; i < 500; ++i) text += String.fromCharCode(97 + i * 7 % 26) + (i % 11 ? "" : " ");
print(text.split(" ").map(function (w) { return w.length; }).reduce(function (a, b) { return a + b; }, 0), text.replace(/[aeiou]/g, "").length);
var data = [];
for (i = 0; i < 200; ++i) data.push({id: i, value: (i * 37) % 101 / 8, tags: ["a" + i, "b"]});
data.sort(function (a, b) { return a.value - b.value || a.id - b.id; });
print(JSON.stringify(JSON.parse(JSON.stringify(data))).length, data[17].id);
"""

SCHEME = b"""
(define (tak x y z) (if (not (< y x)) z (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))))
(display (tak 9 5 2)) (newline)
(define (range a b) (if (< a b) (cons a (range (+ a 1) b)) '()))
(define (safe? q d qs) (or (null? qs) (and (not (= (car qs) q)) (not (= (abs (- (car qs) q)) d)) (safe? q (+ d 1) (cdr qs)))))
(define (queens n k qs)
  (if (= k 0) 1 (let loop ((q 0) (sum 0)) (if (= q n) sum (loop (+ q 1) (if (safe? q 1 qs) (+ sum (queens n (- k 1) (cons q qs))) sum))))))
(display (queens 5 5 '())) (newline)
(display (apply + (map (lambda (x) (* x x)) (range 0 200)))) (newline)
"""

YACC_HEAD = b"%token A B C D E F NUM ID\n%left '+' '-'\n%left '*' '/'\n%%\nprogram : | program s0 ';' ;\n"

SPEEX_CONFIG = """
#define FIXED_POINT 1
#define EXPORT
#define USE_ALLOCA 1
#define HAVE_ALLOCA_H 1
#define HAVE_STDINT_H 1
#define SPEEX_VERSION "1.2.1"
#define SPEEX_MAJOR_VERSION 1
#define SPEEX_MINOR_VERSION 2
#define SPEEX_MICRO_VERSION 1
#define SPEEX_EXTRA_VERSION ""
"""
SPEEX_FILES = """cb_search exc_10_16_table exc_10_32_table exc_20_32_table exc_5_256_table exc_5_64_table exc_8_128_table filters gain_table
    gain_table_lbr hexc_10_32_table hexc_table high_lsp_tables lpc lsp lsp_tables_nb ltp speex speex_callbacks quant_lsp sb_celp modes
    modes_wb nb_celp bits speex_header stereo vbr vq window testenc"""
SPEEX_TYPES = """
#include <stdint.h>
typedef int16_t spx_int16_t; typedef uint16_t spx_uint16_t; typedef int32_t spx_int32_t; typedef uint32_t spx_uint32_t;
"""

# It prints how long it took; with this clock, always the same.
NO_CLOCK = """#include <sys/times.h>
clock_t times(struct tms *t) { t->tms_utime = t->tms_stime = t->tms_cutime = t->tms_cstime = 0; return 0; }
"""

NEC = b"""CM a dipole over real ground, and a Yagi of five elements
CE
GW 1 13 -0.25 0 2 0.25 0 2 0.001
GW 2 13 -0.24 0.2 2 0.24 0.2 2 0.001
GW 3 13 -0.23 0.4 2 0.23 0.4 2 0.001
GW 4 13 -0.22 0.6 2 0.22 0.6 2 0.001
GW 5 13 -0.26 -0.2 2 0.26 -0.2 2 0.001
GE 1
GN 2 0 0 0 13 0.005
FR 0 1 0 0 299.8 0
EX 0 1 7 0 1 0
RP 0 10 19 1000 0 0 10 10
EN
"""


def grammar(operators):
    """Expressions with so many levels of precedence, as rules."""
    rules = [b"s%d : s%d | s%d 'a' NUM%d s%d | '[' NUM%d s%d ']' ;\n" % (i, i + 1, i, i, i + 1, i, i) for i in range(operators)]
    tokens = b"%token " + b" ".join(b"NUM%d" % i for i in range(operators)) + b"\n"
    return tokens + YACC_HEAD + b"".join(rules) + b"s%d : ID | '(' s0 ')' ;\n%%%%\n" % operators


PROGRAMS = [
    Other("bzip2", "compressor", "Burrows-Wheeler, of a manual in XML", of_tests("bzip2"), "-c -1 text", {"text": part("manual.xml", 100000)}),
    Other("bunzip2", "compressor", "the way back", of_tests("bzip2"), "-dc text.bz2",
          {"text.bz2": lambda source: __import__("bz2").compress(part("manual.xml", 100000)(source) * 2)}),
    Other("minigzip", "compressor", "deflate, of a log", of_tests("minigzip"), "-9 < text", {"text": part("ChangeLog", 80000)}),
    Other("lz4", "compressor", "LZ77 without entropy coding, at its highest level", of_tests("lz4"), "-12 -c text", {"text": part("lib/lz4.c")}),
    Other("clzip", "compressor", "LZMA", Source("clzip", "*.c", ["-DPROGVERSION=\"1.13\""]), "-6 -s 64KiB -c text",
          {"text": part("doc/clzip.texi", 24000)}),
    Other("compress", "compressor", "LZW, of noise and text", Source("ncompress", "compress42.c", ["-DDIRENT=1", "-DUSERMEM=800000",
          "-DREGISTERS=3"]), "-c text", {"text": lambda source: part("compress42.c")(source) * 10}),
    Other("cjpeg", "codec", "JPEG of a picture", of_tests("cjpeg"), "-quality 85 -dct int p.ppm", {"p.ppm": made(picture, 640, 480)}),
    Other("djpeg", "codec", "a picture from JPEG", of_tests("djpeg"), "-scale 2/1 -colors 64 -gif p.jpg", {"p.jpg": part("testimages/testorig.jpg")}),
    Other("pbmtojbg", "codec", "JBIG of a bitmap", Source("jbigkit", "libjbig/jbig.c libjbig/jbig_ar.c pbmtools/pbmtojbg.c",
          ["-I{src}/libjbig"]), "p.pbm", {"p.pbm": made(bitmap, 800, 600, 12)}),
    Other("toast", "codec", "GSM 06.10 of speech", Source("libgsm", "src/*.c", ["-I{src}/inc", "-DSASR", "-DWAV49",
          "-DNeedFunctionPrototypes=1", "-DHAS_STDLIB_H", "-DHAS_STRING_H", "-DHAS_ERRNO_DECL", "-DHAS_FSTAT", "-DHAS_UTIME",
          "-DHAS_UTIMBUF", "-DHAS_UNISTD_H"], "gsm_print.c"), "-p -l -c s.raw", {"s.raw": made(sound, 40000, 8000)}),
    Other("speex", "codec", "CELP in fixed point, there and back", Source("speex", " ".join(f"libspeex/{f}.c" for f in SPEEX_FILES.split()),
          ["-DHAVE_CONFIG_H", "-I{src}/include"],
          writes={"config.h": SPEEX_CONFIG, "speex_config_types.h": SPEEX_TYPES}), "s.raw s.out", {"s.raw": made(sound, 8000, 8000)}, leaves="s.out"),
    Other("twolame", "codec", "MPEG audio layer 2, in floating point", Source("twolame", "libtwolame/*.c simplefrontend/*.c",
          ["-DHAVE_CONFIG_H", "-I{src}/libtwolame"], writes={"config.h": '#define PACKAGE_VERSION "0.4.0"\n#define VERSION "0.4.0"\n'
          '#define HAVE_STDINT_H 1\n#define HAVE_INTTYPES_H 1\n#define HAVE_UNISTD_H 1\n#define PACKAGE_NAME "twolame"\n'
          '#define PACKAGE_BUGREPORT ""\n#define PACKAGE_URL ""\n'}), "s.wav s.mp2", {"s.wav": made(wav, 44100, 44100)}, leaves="s.mp2"),
    Other("qrencode", "codec", "QR code of a text", Source("qrencode", "*.c", ["-DHAVE_STRDUP=1", "-DMAJOR_VERSION=4", "-DMINOR_VERSION=1",
          "-DMICRO_VERSION=1", '-DVERSION="4.1.1"', "-DHAVE_PNG=0", "-DSTATIC_IN_RELEASE=static"]), "-t ASCII -l H -o - -r text",
          {"text": part("README", 900)}),
    Other("potrace", "codec", "curves from a bitmap", Source("potrace", "src/*.c", ["-I{src}/src", "-I{src}/src/include", "-DHAVE_CONFIG_H"],
          "getopt.c getopt1.c mkbitmap.c potracelib_demo.c", {"config.h": '#define POTRACE "potrace"\n#define VERSION "1.16"\n'
          '#define HAVE_INTTYPES_H 1\n#define HAVE_STDINT_H 1\n#define HAVE_UNISTD_H 1\n'}), "-s -o - p.pbm", {"p.pbm": made(bitmap, 640, 480)}),
    Other("expat", "parser", "XML: its elements as an outline", of_tests("xmlwf")._replace(files="expat/lib/xml*.c expat/examples/outline.c"),
          "< t.xml", {"t.xml": lambda source: b"<all>" + repeated_element(part("expat/doc/xmlwf.xml")(source)) + b"</all>"}),
    Other("cmark", "parser", "Markdown to HTML", Source("cmark", "src/*.c", ["-I{src}/src", "-DCMARK_STATIC_DEFINE"],
          writes={"config.h": "#include <stdbool.h>\n#define HAVE___BUILTIN_EXPECT\n#define CMARK_ATTRIBUTE(list) __attribute__ (list)\n"
                  "#define CMARK_INLINE inline\n", "cmark_version.h": '#define CMARK_VERSION 7682\n#define CMARK_VERSION_STRING "0.30.2"\n',
                  "cmark_export.h": "#define CMARK_EXPORT\n#define CMARK_NO_EXPORT\n"}), "t.md", {"t.md": part("test/spec.txt")}),
    Other("yaml", "parser", "YAML into events", Source("libyaml", "src/*.c tests/run-parser-test-suite.c", ["-I{src}/include", "-I{src}/src",
          "-DYAML_VERSION_MAJOR=0", "-DYAML_VERSION_MINOR=2", "-DYAML_VERSION_PATCH=5", '-DYAML_VERSION_STRING="0.2.5"']), "t.yaml",
          {"t.yaml": made(yaml, 250)}),
    Other("tidy", "parser", "HTML mended", Source("tidy-html5", "src/*.c console/tidy.c", ["-I{src}/include", "-I{src}/src",
          '-DLIBTIDY_VERSION="5.6.0"', '-DRELEASE_DATE="2017/11/25"', "-DSUPPORT_LOCALIZATIONS=0", "-DSUPPORT_CONSOLE_APP=1"]), "-q -i --show-warnings no --tidy-mark no t.html",
          {"t.html": made(html, 60)}, 1),
    Other("byacc", "parser", "LALR tables of a grammar", Source("byacc", "closure.c error.c graph.c lalr.c lr0.c main.c mkpar.c mstring.c "
          "output.c reader.c yaccpar.c symtab.c verbose.c warshall.c", writes={"config.h": "#define HAVE_FCNTL_H 1\n#define HAVE_GETOPT 1\n"
          "#define HAVE_GETOPT_H 1\n#define HAVE_GETOPT_HEADER 1\n#define HAVE_VSNPRINTF 1\n#define HAVE_MKSTEMP 1\n#define HAVE_STDINT_H 1\n"
          "#define HAVE_INTTYPES_H 1\n#define MAXTABLE 32500\n#define YYPATCH 20221106\n"}), "-o g.c g.y", {"g.y": made(grammar, 80)}, leaves="g.c"),
    Other("lua", "interpreter", "Lua: queens, strings, sums", of_tests("lua")._replace(options=()), "t.lua", {"t.lua": LUA}),
    Other("mujs", "interpreter", "JavaScript: trees, primes, JSON", of_tests("mujs"), "t.js", {"t.js": JAVASCRIPT}),
    Other("tinyscheme", "interpreter", "Scheme: tak, queens", Source("tinyscheme", "scheme.c strlwr.c", ["-DUSE_DL=0", "-DUSE_MATH=1",
          "-DUSE_ASCII_NAMES=0", "-DUSE_STRLWR=0", "-include", "strlwr.h"], writes={"strlwr.h": "char *strlwr(char *);\n", "strlwr.c":
          "#include <ctype.h>\nchar *strlwr(char *s) { for (char *p = s; *p; ++p) *p = tolower(*p); return s; }\n"}), "t.scm", {"t.scm": SCHEME, "init.scm": part("init.scm")}),
    Other("tcc", "interpreter", "compiles C for i386", of_tests("tcc"), "-nostdinc -c t.c -o t.o", {"t.c": made(functions, 300)}, leaves="t.o"),
    Other("picosat", "search", "random 3-SAT", of_tests("picosat"), "t.cnf", {"t.cnf": made(clauses, 180, 740)}, 10),
    Other("cliquer", "search", "the largest clique of a graph", Source("cliquer", "cl.c cliquer.c graph.c reorder.c",
          ["-DENABLE_LONG_OPTIONS"]), "-q t.graph", {"t.graph": made(graph, 180, 55)}),
    Other("qconvex", "numeric", "the hull of points in four dimensions", Source("qhull", "src/libqhull/*.c src/qconvex/qconvex.c",
          ["-I{src}/src"]), "s n < points", {"points": made(points, 300, 4)}),
    Other("nec2c", "numeric", "an antenna, by moments", Source("nec2c", "*.c clock.c", ['-DPACKAGE_STRING="nec2c 1.3"', "-I{src}"],
          writes={"clock.c": NO_CLOCK}),
          "-i t.nec -o t.out", {"t.nec": NEC}, leaves="t.out"),
    Other("fasttree", "numeric", "a tree of genes, by likelihood", Source("fasttree", "fasttree.c"), "-nt -quiet -nopr t.fasta",
          {"t.fasta": made(alignment, 12, 200)}),
    Other("xxhsum", "numeric", "checksums of noise", of_tests("xxhsum"), "-H0 -q noise", {"noise": lambda _source: noise(50000) * 40}),
    Other("ent", "numeric", "statistics of noise", Source("ent", "*.c"), "-c noise", {"noise": made(noise, 200000)}),
    Other("aa", "numeric", "places of planets", Source("astronomical-almanac", "*.c", [], "conjunct.c moonrise.c"), "< aa.que",
          {"aa.que": part("aa.que"), "aa.ini": part("aa.ini"), "star.cat": part("star.cat"), "orbit.cat": part("orbit.cat")}),
    Other("kissfft", "numeric", "spectrum of a sound", Source("kissfft", "kiss_fft.c kiss_fftr.c kiss_fftnd.c kiss_fftndr.c tools/fftutil.c",
          ["-I{src}", "-DFIXED_POINT=16"]), "-n 1024 < s.raw", {"s.raw": made(sound, 131072, 8000)}),
]
