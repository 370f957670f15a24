// cgivens.cu: a Givens rotation of two complex numbers by each thread: c and s with [c s; -s* c] [f; g] = [r; 0].
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct complex { float x, y; };
struct rotation { float cx, cy, sx, sy; };
__device__ inline float root(float x) { return __nvvm_sqrt_rn_f(x); }
__device__ inline rotation givens(complex f, complex g) {
  rotation r = {0, 0, 0, 0};
  if (g.x == 0 && g.y == 0) {
    r.cx = 1;
  } else if (f.x == 0 && f.y == 0) {
    float size = root(g.x * g.x + g.y * g.y);
    r.sx = g.x / size;
    r.sy = -g.y / size;
  } else {
    float f2 = f.x * f.x + f.y * f.y, g2 = g.x * g.x + g.y * g.y;
    float both = 1.0f / root(f2 + g2), one = 1.0f / root(f2);
    r.cx = root(f2) * both;
    f.x *= one;
    f.y *= one;
    r.sx = (f.x * g.x + f.y * g.y) * both;
    r.sy = (f.y * g.x - f.x * g.y) * both;
  }
  return r;
}
extern "C" __global__ void cgivens(const complex *pairs, rotation *out) {
  int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  out[i] = givens(pairs[2 * i], pairs[2 * i + 1]);
}
