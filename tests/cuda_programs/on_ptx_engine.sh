# on_ptx_engine.sh, for scripts that say `library`, LIBMOGCUDA: in a fresh folder, with kernels that MOG's PTX engine runs and a cache of their own. `here`
# has what is beside the script. Without clang the script ends with status 77.
command -v "${MOG_CLANG:-clang++}" >/dev/null || { echo "skipped: this wants clang++; on Debian: apt-get install clang"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export MOG_CACHE_DIR="$work/cache" MOG_CUDA_DRIVER="$library" MOG_NVRTC="$library"
