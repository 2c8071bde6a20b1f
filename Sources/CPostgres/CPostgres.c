// Small additions to libpq, and starting the programs of the server.
#include "CPostgres.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

int vitrine_pq_end_group(PGconn *connection) {
#ifdef LIBPQ_HAS_SEND_PIPELINE_SYNC
    return PQsendPipelineSync(connection);
#else
    return PQpipelineSync(connection);
#endif
}

static void ignore(void *argument, const PGresult *notice) {
    (void)argument;
    (void)notice;
}

void vitrine_pq_ignore_notices(PGconn *connection) { PQsetNoticeReceiver(connection, ignore, NULL); }

pid_t vitrine_spawn(const char *path, char *const arguments[], char *const environment[], int output,
                    int own_session) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    pid_t pid = 0;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, 1);
    posix_spawn_file_actions_adddup2(&files, output, 2);
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
    posix_spawn_file_actions_addchdir_np(&files, "/");
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              (own_session ? POSIX_SPAWN_SETSID : 0));
    int error = posix_spawn(&pid, path, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error == 0 ? pid : -error;
}
