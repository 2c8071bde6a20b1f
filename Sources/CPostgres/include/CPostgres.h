// libpq, and related calls that are not available in Swift (macros, newer functions, spawning).
#ifndef VITRINE_CPOSTGRES_H
#define VITRINE_CPOSTGRES_H

#include <sys/types.h>

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// The field codes of error reports, available in Swift.
typedef enum {
    VITRINE_PQ_SEVERITY = 'V',
    VITRINE_PQ_SQLSTATE = 'C',
    VITRINE_PQ_MESSAGE = 'M',
    VITRINE_PQ_DETAIL = 'D',
    VITRINE_PQ_HINT = 'H',
    VITRINE_PQ_CONTEXT = 'W',
    VITRINE_PQ_SCHEMA = 's',
    VITRINE_PQ_TABLE = 't',
    VITRINE_PQ_COLUMN = 'c',
    VITRINE_PQ_CONSTRAINT = 'n',
    VITRINE_PQ_SOURCE_FUNCTION = 'R',
} vitrine_pq_field;

// Ends a pipeline of statements; leaves the flush to the caller if libpq (17 or later) supports it.
int vitrine_pq_end_group(PGconn *connection);

// Suppresses notices on stderr.
void vitrine_pq_ignore_notices(PGconn *connection);

// Starts a program in "/" with no signal blocked or ignored, stdin from /dev/null, stdout and stderr to `output`,
// and every other descriptor closed; optionally in a new session. Returns the process ID, or -errno.
pid_t vitrine_spawn(const char *path, char *const arguments[], char *const environment[], int output, int own_session);

#endif
