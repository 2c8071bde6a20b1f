// Opens, inspects and writes to descriptors without blocking, and checks ignored signals.
#include "CSystem.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/prctl.h>

int csystem_is_ignored(int signal) {
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int csystem_descriptor_kind(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return 0;
    if (S_ISSOCK(status.st_mode)) return 's';
    if (S_ISFIFO(status.st_mode)) return 'p';
    if (S_ISCHR(status.st_mode)) return 'c';
    return 'f';
}

int csystem_open_again_without_waiting(int descriptor) {
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

ssize_t csystem_write(int descriptor, int is_socket, const void *bytes, size_t count) {
    ssize_t written;
    do {
        written = is_socket ? send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL)
                            : write(descriptor, bytes, count);
    } while (written < 0 && errno == EINTR);
    return written;
}

int csystem_open_for_appending(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

int csystem_open_nothing(void) {
    return open("/dev/null", O_RDWR | O_CLOEXEC);
}

int csystem_last_error(void) {
    return errno;
}

void csystem_send_datagram(const struct sockaddr_un *address, socklen_t length, const void *bytes, size_t count) {
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return;
    sendto(descriptor, bytes, count, MSG_NOSIGNAL, (const struct sockaddr *)address, length);
    close(descriptor);
}

int csystem_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    rlim_t now = setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : before;
    return now > INT_MAX ? INT_MAX : (int)now;
}

void csystem_keep_memory_private(void) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // The limit does not apply to dump handlers; this does.
    prctl(PR_SET_DUMPABLE, 0);
}

void csystem_ignore_broken_pipes(void) {
    signal(SIGPIPE, SIG_IGN);
}

int csystem_socket_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

static int write_whole(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = csystem_write(file, 0, bytes, count);
        if (written < 0) return errno;
        bytes += written;
        count -= (size_t)written;
    }
    return fsync(file) == 0 ? 0 : errno;
}

int csystem_write_file(const char *folder, const char *temporary, const char *name, const void *bytes, size_t count) {
    int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return errno;
    int failed = 0;
    int file = openat(directory, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) {
        failed = errno;
    } else {
        failed = write_whole(file, bytes, count);
        if (close(file) != 0 && !failed) failed = errno;
        if (!failed && renameat(directory, temporary, directory, name) != 0) failed = errno;
        if (failed) unlinkat(directory, temporary, 0);
        // The name is durable once its folder is synced.
        if (!failed && fsync(directory) != 0) failed = errno;
    }
    close(directory);
    return failed;
}

int csystem_sync_folder(const char *folder) {
    int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return errno;
    int failed = fsync(directory) == 0 ? 0 : errno;
    close(directory);
    return failed;
}
