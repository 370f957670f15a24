
/* ---- added by MOG ---- */
#undef nexttoward
#define nexttoward(x, y) _Generic((x), float: nexttowardf, long double: nexttowardl, default: nexttoward)((x), (y))
