#pragma once
#include <sqlite3.h>

/* The destructor constant is a function-pointer cast, which Swift cannot import. */
static inline sqlite3_destructor_type ob_sqlite_transient(void) { return SQLITE_TRANSIENT; }
/* sqlite3_db_config is variadic, which Swift cannot call. */
static inline int ob_sqlite_configure(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}
