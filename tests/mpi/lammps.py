"""lammps.py: the core of LAMMPS, a program of molecular dynamics in C++ with MPI, without most of its four hundred styles: what to compile, and what
its make would write.
"""
import re

FILES = """
angle arg_info atom atom_map atom_vec atom_vec_atomic atom_vec_body atom_vec_charge atom_vec_ellipsoid atom_vec_hybrid
atom_vec_line atom_vec_sphere atom_vec_tri body bond citeme comm comm_brick comm_tiled compute compute_pe compute_pressure
compute_temp create_atoms create_box dihedral domain dump dump_atom error finish fix fix_minimize fix_nve fix_store
fmtlib_format fmtlib_os force group hashlittle imbalance improper info input integrate irregular kspace lammps lattice lmppython
main math_eigen math_extra math_special memory min min_cg min_linesearch modify molecule my_page my_pool_chunk nbin
nbin_standard neigh_list neigh_request neighbor npair npair_half_bin_atomonly_newton npair_half_bin_newton nstencil
nstencil_half_bin_3d ntopo ntopo_angle_all ntopo_angle_partial ntopo_angle_template ntopo_bond_all ntopo_bond_partial
ntopo_bond_template ntopo_dihedral_all ntopo_dihedral_partial ntopo_dihedral_template ntopo_improper_all ntopo_improper_partial
ntopo_improper_template output pair pair_hybrid pair_lj_cut potential_file_reader procmap random_mars random_park rcb reader
region region_block region_prism run special text_file_reader thermo timer tokenizer universe update utils variable velocity
verlet write_restart
""".split()
KINDS = """angle atom body bond command compute dihedral dump fix improper integrate kspace minimize nbin npair nstencil ntopo pair reader
region""".split()
GIT = "\n".join(f'const char LAMMPS_NS::LAMMPS::git_{what}[] = "";' for what in ("commit", "branch", "descriptor"))
# Atoms of argon melt: 256 of them, in ten steps.
MELT = """\
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 5 check no
fix 1 all nve
thermo 5
dump 1 all atom 10 dump.melt
run 10
"""


def styles(kind):
    """A function of the source: a header that names those that have a style of the kind, which say so by a macro."""
    def text(source):
        headers = [f"{name}.h" for name in FILES if (source / "src" / f"{name}.h").exists()]
        asked = re.compile(rf"^#ifdef {kind.upper()}_CLASS$", re.M)
        return "".join(f'#include "{name}"\n' for name in headers if asked.search((source / "src" / name).read_text(errors="replace")))
    return text


WRITES = {
    **{f"style_{kind}.h": styles(kind) for kind in KINDS},
    **{f"packages_{kind}.h": "" for kind in KINDS},
    "lmpinstalledpkgs.h": "const char *LAMMPS_NS::LAMMPS::installed_packages[] = {NULL};\n",
    "lmpgitversion.h": f"const bool LAMMPS_NS::LAMMPS::has_git_info = false;\n{GIT}\n",
}
