#pragma once
/* Only the re-entrant functions: one context a thread. */
#define GEOS_USE_ONLY_R_API
#include <geos_c.h>
