/* gthr-default.h: tells the headers of g++'s library that there is one thread. */
#include <bits/gthr-single.h>
