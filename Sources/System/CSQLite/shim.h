#pragma once
#include <sqlite3.h>

/* The destructor constant is a function-pointer cast, which Swift cannot import. */
static inline sqlite3_destructor_type ob_sqlite_transient(void) { return SQLITE_TRANSIENT; }
