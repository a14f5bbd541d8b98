#ifndef SQLITE_HARDENING_H
#define SQLITE_HARDENING_H

struct sqlite3;
int sqlite3_db_config(struct sqlite3 *, int op, ...);

/// Forbids SQL that could corrupt the file (SQLITE_DBCONFIG_DEFENSIVE). The function behind it is
/// variadic, which Swift cannot call.
static inline int sqlite_forbid_corrupting_statements(struct sqlite3 *connection) {
    return sqlite3_db_config(connection, 1010, 1, (int *)0);
}

#endif
