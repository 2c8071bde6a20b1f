// Stands in for an exploited decoder: preloaded into vitrine-media, it tries one call from inside the sandbox.
//
//   HOSTILE=NAME LD_PRELOAD=hostile.so vitrine-media … < any.jpeg      prints "ran NAME" if the call succeeded
//   HOSTILE=list LD_PRELOAD=hostile.so vitrine-media                   prints the names
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#define CALL(name, ...) {#name, SYS_##name, {__VA_ARGS__}}
#define VARIANT(label, name, ...) {label, SYS_##name, {__VA_ARGS__}}

static char page[8192] __attribute__((aligned(4096)));
static char bytes[256] = "hello";
static struct iovec part = {bytes, 5};
static struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
static struct rlimit limit = {0, 0};
static struct sched_param priority = {0};
static struct clone_args arguments = {.exit_signal = SIGCHLD};
static unsigned long processors = 1;
#define AT(pointer) ((long)(intptr_t)(pointer))

static struct attempt {
    const char *name;
    long number;
    long with[6];
} attempts[] = {
    // other processes; 0 as a signal asks whether one could be sent
    CALL(kill, -1, 0), VARIANT("kill_group", kill, 0, 0), VARIANT("kill_parent", kill, 1, 0), CALL(tkill, 1, 0),
    VARIANT("tgkill_parent", tgkill, 1, 1, 0), CALL(rt_sigqueueinfo, 1, SIGUSR1, AT(bytes)), CALL(pidfd_open, 1, 0),
    CALL(pidfd_send_signal, 0, 0, 0, 0), CALL(pidfd_getfd, 0, 0, 0), CALL(ptrace, 16, 1, 0, 0), CALL(kcmp, 1, 1, 0, 0, 0),
    CALL(process_vm_readv, 1, AT(&part), 1, AT(&part), 1, 0), CALL(process_vm_writev, 1, AT(&part), 1, AT(&part), 1, 0),
    CALL(process_madvise, 0, AT(&part), 1, 4, 0), CALL(setpriority, 0, 0, 19), CALL(getpriority, 0, 1),
    CALL(sched_setaffinity, 0, 8, AT(&processors)), CALL(sched_setscheduler, 0, 0, AT(&priority)),
    CALL(prlimit64, 1, RLIMIT_CPU, AT(&limit), 0), CALL(setrlimit, RLIMIT_CPU, AT(&limit)), CALL(setpgid, 0, 0), CALL(setsid, 0),
    CALL(migrate_pages, 0, 8, AT(&processors), AT(&processors)),
    // new processes and programs
    VARIANT("clone", clone, SIGCHLD, 0, 0, 0, 0), VARIANT("clone_newuser", clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0),
    VARIANT("clone_parent", clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0), CALL(clone3, AT(&arguments), sizeof arguments),
    CALL(execve, AT("/bin/true"), 0, 0), CALL(execveat, AT_FDCWD, AT("/bin/true"), 0, 0, 0),
    // namespaces and mounts
    CALL(unshare, CLONE_NEWUSER), CALL(setns, 0, 0), CALL(mount, AT("none"), AT("/tmp"), AT("tmpfs"), 0, 0),
    CALL(umount2, AT("/tmp"), 0), CALL(chroot, AT("/")), CALL(pivot_root, AT("/"), AT("/")), CALL(fsopen, AT("tmpfs"), 0),
    CALL(open_tree, AT_FDCWD, AT("/"), 0), CALL(move_mount, AT_FDCWD, AT("/"), AT_FDCWD, AT("/"), 0), CALL(fsmount, 0, 0, 0),
    // files
    CALL(openat, AT_FDCWD, AT("/etc/passwd"), O_RDONLY), CALL(openat2, AT_FDCWD, AT("/etc/passwd"), AT(page), 24),
    VARIANT("openat_tmpfile", openat, AT_FDCWD, AT("/tmp"), O_TMPFILE | O_RDWR, 0600), CALL(unlinkat, AT_FDCWD, AT("/tmp/x"), 0),
    CALL(renameat2, AT_FDCWD, AT("/tmp/x"), AT_FDCWD, AT("/tmp/y"), 0), CALL(linkat, AT_FDCWD, AT("/tmp/x"), AT_FDCWD, AT("/tmp/y"), 0),
    CALL(symlinkat, AT("/etc/passwd"), AT_FDCWD, AT("/tmp/y")), CALL(mkdirat, AT_FDCWD, AT("/tmp/z"), 0700),
    CALL(mknodat, AT_FDCWD, AT("/tmp/z"), 0100600, 0), CALL(fchmodat, AT_FDCWD, AT("/tmp"), 0777),
    CALL(fchmodat2, AT_FDCWD, AT("/tmp"), 0777, 0), CALL(fchmod, 1, 0666), CALL(fchownat, AT_FDCWD, AT("/tmp"), 0, 0, 0), CALL(fchown, 1, 0, 0),
    CALL(truncate, AT("/tmp/x"), 0), CALL(ftruncate, 1, 0), CALL(utimensat, AT_FDCWD, AT("/tmp"), 0, 0),
    CALL(setxattr, AT("/tmp"), AT("user.x"), AT(bytes), 1, 0), CALL(name_to_handle_at, AT_FDCWD, AT("/"), AT(page), AT(page), 0),
    CALL(open_by_handle_at, AT_FDCWD, AT(page), 0), CALL(inotify_init1, 0), CALL(fanotify_init, 0, 0), CALL(memfd_create, AT("x"), 0),
    CALL(getdents64, 0, AT(page), 4096), CALL(chdir, AT("/")), CALL(dup, 1), CALL(fcntl, 1, F_GETFD),
    // network and other ways to talk
    CALL(socket, AF_INET, SOCK_STREAM, 0), CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, AT(page)), CALL(connect, 0, AT(page), 16),
    CALL(bind, 0, AT(page), 16), CALL(listen, 0, 1), CALL(accept4, 0, 0, 0, 0), CALL(sendmsg, 1, AT(&message), 0),
    CALL(sendto, 1, AT(bytes), 5, 0, 0, 0), CALL(recvmsg, 0, AT(&message), MSG_DONTWAIT), CALL(pipe2, AT(page), 0),
    CALL(shmget, 0, 4096, 01600), CALL(msgget, 0, 01600), CALL(semget, 0, 1, 01600), CALL(mq_open, AT("x"), O_CREAT, 0600, 0),
    // identity
    CALL(setuid, 0), CALL(setgid, 0), CALL(setresuid, 0, 0, 0), CALL(setgroups, 0, 0), CALL(capset, AT(page), AT(page)),
    CALL(keyctl, 0, 0), CALL(add_key, AT("user"), AT("x"), AT(bytes), 1, -2), CALL(personality, 0xffffffff),
    // the kernel, and memory that could be executed
    CALL(bpf, 0, AT(page), 64), CALL(perf_event_open, AT(page), 0, -1, -1, 0), CALL(io_uring_setup, 1, AT(page)),
    CALL(userfaultfd, 0), CALL(init_module, AT(page), 0, AT(bytes)), CALL(finit_module, 0, AT(bytes), 0),
    CALL(kexec_load, 0, 0, 0, 0), CALL(reboot, 0, 0, 0, 0), CALL(syslog, 3, AT(page), 100), CALL(quotactl, 0, 0, 0, 0),
    CALL(seccomp, 0, 0, 0), CALL(prctl, PR_SET_DUMPABLE, 1, 0, 0), CALL(ioctl, 1, 0x5412, AT(bytes)),
    CALL(landlock_create_ruleset, 0, 0, 1), VARIANT("mmap_exec", mmap, 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
    VARIANT("mprotect_exec", mprotect, AT(page), 4096, PROT_READ | PROT_EXEC), CALL(pkey_mprotect, AT(page), 4096, PROT_READ | PROT_EXEC, -1),
    CALL(modify_ldt, 0, AT(page), 16),
    // other than above a control: it must succeed, or the test would prove nothing
    VARIANT("control", getpid, 0),
};
#define COUNT (sizeof attempts / sizeof *attempts)

static void *wait_forever(void *unused) {
    for (;;) sched_yield();
    return unused;
}

/// The number of threads that could be started.
static long start_threads(void) {
    long started = 0;
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    while (started < 20000 && pthread_create(&thread, &small, wait_forever, NULL) == 0) started++;
    return started;
}

__attribute__((constructor)) static void prepare(void) {
    const char *name = getenv("HOSTILE");
    if (name == NULL || strcmp(name, "list") != 0) return;
    for (size_t i = 0; i < COUNT; i++) puts(attempts[i].name);
    exit(0);
}

/// Called by the helper in the sandbox, in place of libvips.
int vips_jpegload_buffer(void *data, size_t length, void *image, ...) {
    (void)data, (void)length, (void)image;
    const char *name = getenv("HOSTILE");
    if (strcmp(name, "threads") == 0) {
        dprintf(1, "%ld threads\n", start_threads());
        _exit(0);
    }
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(attempts[i].name, name) != 0) continue;
        const long *with = attempts[i].with;
        long result = syscall(attempts[i].number, with[0], with[1], with[2], with[3], with[4], with[5]);
        if (result == -1) dprintf(1, "refused %s\n", strerrorname_np(errno));
        else dprintf(1, "ran %s\n", name);
        _exit(0);
    }
    _exit(99);
}
