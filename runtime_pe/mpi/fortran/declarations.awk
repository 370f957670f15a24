# declarations.awk: reads MPI's functions from mpi.h, for those that make them for Fortran: functions.awk and module.awk.
#
#   awk -f declarations.awk -f functions.awk names.list mpi.h mog/mpi_*.h             the source of libmpifort.a
#   awk -f declarations.awk -f module.awk names.list mpi.h mog/mpi_*.h mpif.h         that of the module mpi; with -v f08=1 of mpi_f08
#
# For each, binding(function, count) is called. Of parameter i, own[i] is its name in mpi.h and names[i] that for Fortran, types[i] its type
# without *, and kinds[i] is value, text (which is_const[i] or comes out), buffer, address (void *, where that is no buffer), procedure, status,
# or pointer: one or, where is_list[i], several. Left out is MPI_T, which Fortran has not.
BEGIN {
    # What is LOGICAL in Fortran.
    logical = " reorder commutes high flag periods remains is_weighted "
    # Where C has the address of a pointer or what is one, Fortran a number as wide.
    addresses = " extra value memory base "
    # Other than C's, with what Fortran has for argc and argv.
    unlike = " Init Init_thread Pcontrol "
}
FILENAME ~ /names\.list$/ {
    if ($1 == "#") next
    standard = $2
    if (!sub(/:$/, "", standard)) name_of[$1] = standard
    else for (i = 3; i <= NF; i++) name_in[$i, $1] = standard
    next
}
/^#define MOG_MPI_[A-Z_]+ / {
    several[$2] = $0
    sub(/^#define [A-Z_]+ +/, "", several[$2])
}
/^MOG_MPI_FUNCTION\(/ { text = ""; inside = 1 }
inside { text = text " " $0 }
inside && /\);/ { inside = 0; declaration(text) }

function declaration(text,    parts, count, i, name, of) {
    sub(/^ *MOG_MPI_FUNCTION\(/, "", text)
    sub(/\);.*/, "", text)
    gsub(/[ \t]+/, " ", text)
    for (name in several) sub(name "(,|$)", several[name] ",", text)
    sub(/,$/, "", text)
    count = split(text, parts, /, */)
    of = parts[1]
    if (of ~ /^T_/ || index(unlike, " " of " ")) return
    if (parts[2] == "void") count = 1
    for (i = 2; i <= count; i++) parameter(of, i - 1, parts[i])
    binding(of, count - 1)
}
function parameter(of, i, text,    name) {
    name = text
    sub(/\[.*/, "", name)
    sub(/.*[ *]/, "", name)
    own[i] = name
    names[i] = (of, name) in name_in ? name_in[of, name] : name in name_of ? name_of[name] : name
    is_const[i] = text ~ /const /
    types[i] = text
    gsub(/const |[*]+|\[.*/, "", types[i])
    sub(/ [a-z_]+ *$/, "", types[i])
    if (text ~ /char \*/) kinds[i] = "text"
    else if (text !~ /[*[]/) kinds[i] = "value"
    else if (types[i] ~ /_function$/) kinds[i] = "procedure"
    else if (types[i] == "MPI_Status") kinds[i] = "status"
    else if (types[i] != "void") kinds[i] = "pointer"
    else kinds[i] = index(addresses, " " name " ") && !is_address_of_buffer(of) ? "address" : "buffer"
    is_list[i] = kinds[i] == "pointer" && (text ~ /\[/ || is_const[i]) || kinds[i] == "status" && name ~ /es$/
}
# Whose base or memory is the buffer itself.
function is_address_of_buffer(of) { return of ~ /^(Free_mem|Win_create|Win_attach|Win_detach)$/ }
# A line in parts of 110 characters, each of which but the last ends in `more`.
function wrapped(text, more,    out, at) {
    while (length(text) > 110) {
        for (at = 108; substr(text, at, 1) != " "; at--) continue
        out = out substr(text, 1, at - 1) more "\n        "
        text = substr(text, at + 1)
    }
    return out text
}
