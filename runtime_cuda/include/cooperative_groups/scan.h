/* scan.h: a part of cooperative_groups.h, which has it all. */
#pragma once

#include <cooperative_groups.h>
