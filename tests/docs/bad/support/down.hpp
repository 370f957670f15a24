#include "mogcc/up.hpp"
