// System calls that are not available in Swift on Linux.
#ifndef VITRINE_CSYSTEM_H
#define VITRINE_CSYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Starts a program in a new session, with an empty signal mask, default signal actions and no open
/// descriptors except the three given as standard input, output and error. `path` without a slash is looked up in PATH.
/// `directory` may be NULL: then the child keeps the directory of the parent. Returns 0, or the errno of the failed
/// call.
int csystem_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                  const char *directory, int input, int output, int error);

/// Lets the calling thread run after others of this process where no core is idle.
static inline void csystem_lower_priority(void) { (void)setpriority(PRIO_PROCESS, 0, 10); }

/// Returns a descriptor that becomes readable when the child ends, or -1 with errno set.
int csystem_watch_process(pid_t pid);

/// Returns 1 if the signal is ignored by this process (as under nohup), else 0.
int csystem_is_ignored(int signal);

/// Returns 1 if the child has exited; it can still be reaped.
int csystem_has_exited(pid_t pid);

/// Decodes a status from waitpid: the exit code, or 128 + the signal that ended the child.
int csystem_exit_code(int status);

/// The kind of file behind a descriptor: 's' socket, 'p' pipe, 'c' character device, 'f' anything else, 0 if closed.
int csystem_descriptor_kind(int descriptor);

/// Reopens the file of a descriptor for non-blocking writes, or returns -1. The original descriptor keeps its mode,
/// which
/// other programs may share.
int csystem_open_again_without_waiting(int descriptor);

/// Writes at most `count` bytes, restarting after signals. Returns how many were written, or -1.
/// Never blocks on a socket; otherwise this depends on the mode of the descriptor.
ssize_t csystem_write(int descriptor, int is_socket, const void *bytes, size_t count);

/// Opens a file for appending, created with mode 0600 if missing; returns -1 with errno set on failure.
int csystem_open_for_appending(const char *path);

/// Opens /dev/null in both directions, or returns -1.
int csystem_open_nothing(void);

/// Creates two connected sockets that children do not inherit. Returns 0, or -1.
int csystem_socket_pair(int ends[2]);

/// Writes and syncs a new file, then renames it, replacing an existing file. The file is world-readable. Returns 0, or
/// the
/// errno of the failed call; then no file is left.
int csystem_write_file(const char *folder, const char *temporary, const char *name, const void *bytes, size_t count);

/// Syncs a folder. Returns 0, or the errno of the failed call.
int csystem_sync_folder(const char *folder);

/// Makes writes to a pipe or socket without a reader fail instead of ending the process.
void csystem_ignore_broken_pipes(void);

/// Sends one datagram to a Unix socket without blocking; ignores failures.
void csystem_send_datagram(const struct sockaddr_un *address, socklen_t length, const void *bytes, size_t count);

/// Raises the limit of open descriptors to the maximum. Returns the new limit, or -1.
int csystem_raise_descriptor_limit(void);

/// Disables core dumps of this process, to files and to dump handlers, and access to its memory by other programs of
/// the
/// same user.
void csystem_keep_memory_private(void);

/// The errno of the last failed call on this thread.
int csystem_last_error(void);

#endif
