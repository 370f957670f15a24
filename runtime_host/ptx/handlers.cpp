// handlers.cpp: which of the loops over lanes this machine's processor is given.
#include "runtime_host/ptx/lanes.hpp"
#include "support/compilers/simd.hpp"

namespace mog::ptx {

const Handlers &handlers() {
    static const Handlers result = [] {
        Handlers all;
        switch (best_simd()) {
            case Simd::avx512:
                tier_avx512::fill_integers(all);
                tier_avx512::fill_floats(all);
                tier_avx512::fill_conversions(all);
                tier_avx512::fill_memory(all);
                break;
            case Simd::avx2:
                tier_avx2::fill_integers(all);
                tier_avx2::fill_floats(all);
                tier_avx2::fill_conversions(all);
                tier_avx2::fill_memory(all);
                break;
            default:
                tier_portable::fill_integers(all);
                tier_portable::fill_floats(all);
                tier_portable::fill_conversions(all);
                tier_portable::fill_memory(all);
                break;
        }
        return all;
    }();
    return result;
}

}  // namespace mog::ptx
