"""known.py: MPICH's tests that cannot pass here, and why."""

# Folders of MPICH's test/mpi whose tests are of MPI 3.1 in C.
FOLDERS = "attr coll comm datatype errhan group info init io pt2pt rma topo".split()

MPI_4 = "needs functions of MPI 4"
ROMIO = "needs types of ROMIO's own"

KNOWN = {
    MPI_4: "",
    ROMIO: "io/async",
}

_REASONS = {name: reason for reason, names in KNOWN.items() for name in names.split()}


def reason(folder, name, ranks):
    """Why a test fails; None: it has to pass. Rows of KNOWN may name the number of ranks, too: "coll/bcast:10"."""
    return _REASONS.get(f"{folder}/{name}") or _REASONS.get(f"{folder}/{name}:{ranks}")
