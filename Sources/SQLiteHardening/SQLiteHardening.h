#ifndef SQLITE_HARDENING_H
#define SQLITE_HARDENING_H

struct sqlite3;
int sqlite3_db_config(struct sqlite3 *, int op, ...);
int sqlite3_config(int op, ...);

/// Forbids SQL that could corrupt the file (SQLITE_DBCONFIG_DEFENSIVE). The function behind it is
/// variadic, which Swift cannot call.
static inline int sqlite_forbid_corrupting_statements(struct sqlite3 *connection) {
    return sqlite3_db_config(connection, 1010, 1, (int *)0);
}

/// Leaves the memory that SQLite takes uncounted (SQLITE_CONFIG_MEMSTATUS): the counters are those
/// of the process, and their lock is taken by all threads. Refused once SQLite is in use. Variadic
/// too.
static inline int sqlite_leave_memory_uncounted(void) {
    return sqlite3_config(9, 0);
}

#endif
