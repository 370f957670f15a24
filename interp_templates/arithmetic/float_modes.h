/* float_modes.h: who computes floats and doubles: from what the program needs and what the device has.
 *
 * Defined before:
 *   MOG_F64           by the generator: the program computes with doubles
 *   MOG_FCSR          by the generator: it reads or writes the FPU's control register, so its roundings and exceptions
 *                     are kept, which only soft_float.h can
 *   MOG_DOUBLE_SOFT, MOG_DOUBLE_PAIR     by who compiles: doubles by soft_float.h, by pair_float.h
 *   MOG_FLOAT_SOFT    by who compiles: the device's floats lack denormals, or do not round to nearest
 *   MOG_DIVF_SOFT     by who compiles: its division and root of floats are not correctly rounded
 */
#ifdef MOG_FCSR
#undef MOG_DOUBLE_PAIR
#undef MOG_DOUBLE_SOFT
#undef MOG_FLOAT_SOFT
#define MOG_DOUBLE_SOFT
#define MOG_FLOAT_SOFT
#endif
#ifdef MOG_FLOAT_SOFT
#undef MOG_DIVF_SOFT
#define MOG_DIVF_SOFT
#endif
#if defined(MOG_F64) && !defined(MOG_DOUBLE_SOFT) && !defined(MOG_DOUBLE_PAIR)
#define MOG_NATIVE_F64
#endif
/* soft_float.h is needed. */
#if defined(MOG_DIVF_SOFT) || (defined(MOG_F64) && (defined(MOG_DOUBLE_SOFT) || defined(MOG_DOUBLE_PAIR)))
#define MOG_SOFT_FLOAT
#endif

/* The control register as the machine keeps it: without the condition codes, which are registers. Rounding in bits 0-1,
 * then five bits each of flags (2-6), enables (7-11) and causes (12-16), and bit 17, a cause that always traps. */
#define MOG_FCSR_BITS 0x0103ffffu
#define MOG_FCSR_CAUSES 0x0003f000u
#define MOG_FCSR_FLUSH 0x01000000u
