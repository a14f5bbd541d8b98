#ifndef SQLITE_HARDENING_H
#define SQLITE_HARDENING_H

struct sqlite3;
int sqlite3_db_config(struct sqlite3 *, int op, ...);
int sqlite3_config(int op, ...);
int renameat2(int folder, const char *from, int targetFolder, const char *to, unsigned int flags);

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

/// Gives a file a name that no other one has (RENAME_NOREPLACE). Swift sees no declaration of the
/// function behind it.
static inline int rename_to_new_name(const char *from, const char *to) {
    return renameat2(-100, from, -100, to, 1);
}

#endif
