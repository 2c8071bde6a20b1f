// Starts and monitors child processes.
#include "CSystem.h"

#include <errno.h>
#include <spawn.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

static int prepare_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failed = posix_spawnattr_setsigmask(attributes, &none);
    if (!failed) failed = posix_spawnattr_setsigdefault(attributes, &all);
    if (!failed) {
        failed = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    return failed;
}

static int prepare_actions(posix_spawn_file_actions_t *actions, const char *directory, const int streams[3]) {
    int failed = 0;
    for (int stream = 0; stream < 3 && !failed; stream++) {
        failed = posix_spawn_file_actions_adddup2(actions, streams[stream], stream);
    }
    if (!failed) failed = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    if (!failed && directory != NULL) failed = posix_spawn_file_actions_addchdir_np(actions, directory);
    return failed;
}

int csystem_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                  const char *directory, int input, int output, int error) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int failed = posix_spawnattr_init(&attributes);
    if (failed) return failed;
    failed = posix_spawn_file_actions_init(&actions);
    if (failed) {
        posix_spawnattr_destroy(&attributes);
        return failed;
    }
    const int streams[3] = {input, output, error};
    failed = prepare_attributes(&attributes);
    if (!failed) failed = prepare_actions(&actions, directory, streams);
    if (!failed) failed = posix_spawnp(pid, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

int csystem_watch_process(pid_t pid) {
    return pidfd_open(pid, 0);
}

int csystem_has_exited(pid_t pid) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

int csystem_exit_code(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
