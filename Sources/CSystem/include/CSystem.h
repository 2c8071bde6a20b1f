// The few calls of the operating system that Swift cannot make by itself on Linux.
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

/// Starts a program in a session of its own, with an empty signal mask, default signal actions and no open
/// descriptor but the three given as standard input, output and error. `path` without a slash is looked up in PATH.
/// `directory` may be NULL: then the child stays where the parent is. Answers 0, or the errno of what failed.
int csystem_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                  const char *directory, int input, int output, int error);

/// Answers a descriptor that becomes readable when the child ends, or -1 with errno set.
int csystem_watch_process(pid_t pid);

/// Answers 1 if the signal is ignored by this process (as under nohup), else 0.
int csystem_is_ignored(int signal);

/// What a status from waitpid means: the exit code, or 128 + the signal that ended the child.
int csystem_exit_code(int status);

/// The kind of file behind a descriptor: 's' socket, 'p' pipe, 'c' character device, 'f' anything else, 0 if closed.
int csystem_descriptor_kind(int descriptor);

/// Opens what is behind a descriptor once more, for writing without waiting, or answers -1. The first descriptor keeps
/// its own mode, which other programs may share.
int csystem_open_again_without_waiting(int descriptor);

/// Writes at most `count` bytes, restarting after signals. Answers how many were written, or -1.
/// To a socket it never waits; for anything else that depends on the mode of the descriptor.
ssize_t csystem_write(int descriptor, int is_socket, const void *bytes, size_t count);

/// Opens a file for appending, made with mode 0600 if it is missing; -1 with errno set if that cannot be.
int csystem_open_for_appending(const char *path);

/// Opens /dev/null in both directions, or answers -1.
int csystem_open_nothing(void);

/// Makes two connected sockets that no child inherits. Answers 0, or -1.
int csystem_socket_pair(int ends[2]);

/// Writes everything to a new file, puts it onto the disk and gives it its name, which another file may have had. The
/// file is readable for everyone. Answers 0, or the errno of what failed; then nothing is left behind.
int csystem_write_file(const char *folder, const char *temporary, const char *name, const void *bytes, size_t count);

/// Puts the names in a folder onto the disk. Answers 0, or the errno of what failed.
int csystem_sync_folder(const char *folder);

/// From now on writing to a pipe or socket without a reader fails instead of ending the process.
void csystem_ignore_broken_pipes(void);

/// Sends one datagram to a socket of the file system, without waiting; failures do not matter.
void csystem_send_datagram(const struct sockaddr_un *address, socklen_t length, const void *bytes, size_t count);

/// Raises the limit of open descriptors as far as it goes. Answers the limit that now holds, or -1.
int csystem_raise_descriptor_limit(void);

/// No core dump is written of this process, neither to a file nor to a program that takes them, and no other program of
/// the same user may read its memory.
void csystem_keep_memory_private(void);

/// The errno of the last call that failed on this thread.
int csystem_last_error(void);

#endif
