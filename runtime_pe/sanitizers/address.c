/* address.c: what is in a program of -fsanitize=address says to mogrun that it checks memory, --check=memory. Nothing else is needed for
 * that, so code is compiled as without it. */
const char __mog_check_memory = 1;
