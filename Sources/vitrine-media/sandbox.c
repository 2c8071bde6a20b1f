// Removes the helper's access to files, network and processes, so that an exploited decoder can't reach anything.
#include "sandbox.h"

#include <errno.h>
#include <grp.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Nothing else runs as this user: Debian reserves the number, and systemd's dynamic users end below it.
#define OWN_ID 65533
/// Threads of all helpers that run at once.
#define MAX_THREADS 256

static int set_limit(int resource, rlim_t value) {
    const struct rlimit limit = {value, value};
    return setrlimit(resource, &limit);
}

/// As root, changes to a user that owns nothing and that nothing else runs as. Other users can't change theirs.
static int leave_root(void) {
    if (geteuid() != 0) return 0;
    if (set_limit(RLIMIT_NPROC, MAX_THREADS) != 0) return -1;
    return setgroups(0, NULL) | setresgid(OWN_ID, OWN_ID, OWN_ID) | setresuid(OWN_ID, OWN_ID, OWN_ID);
}

int limit_resources(long memory, long seconds) {
    int failed = set_limit(RLIMIT_AS, (rlim_t)memory << 20);
    failed |= set_limit(RLIMIT_CPU, (rlim_t)seconds);
    failed |= set_limit(RLIMIT_CORE, 0);
    failed |= set_limit(RLIMIT_NOFILE, 64);
    return failed ? failed : leave_root();
}

/// Denies all access to the file system. On kernels without Landlock only the system call filter below applies.
static void deny_files(void) {
    struct landlock_ruleset_attr rules = {
        .handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
                             LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                             LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                             LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                             LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
    };
    long set = syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (set < 0) return;
    syscall(SYS_landlock_restrict_self, set, 0);
    close((int)set);
}

/// What decoding needs: its two streams, memory, threads and clocks.
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(close), SCMP_SYS(fstat), SCMP_SYS(lseek),
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk), SCMP_SYS(madvise),
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield), SCMP_SYS(gettid), SCMP_SYS(getpid),
    SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(restart_syscall),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday),
    SCMP_SYS(getrandom),
};

/// What the libraries try without needing it: optional files, the number of processors, names of threads. They go on when it fails.
static const int refused[] = {
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx),
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getcwd),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getattr), SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(prctl), SCMP_SYS(ioctl),
};

static int allow_with_arguments(scmp_filter_ctx filter) {
    const uint32_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    const uint32_t namespaces =
        CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    const struct scmp_arg_cmp is_thread = SCMP_A0(SCMP_CMP_MASKED_EQ, thread | namespaces, thread);
    // The C library falls back to clone, whose flags can be checked.
    int failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, is_thread);
    // No memory is ever made executable.
    const struct scmp_arg_cmp is_data = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, is_data);
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, is_data);
    // abort() signals its own thread; processes with the number 0 or below would be others.
    const scmp_datum_t self = (scmp_datum_t)getpid();
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, self));
    return failed;
}

/// Every other call, and every call of another architecture, kills the process.
static int filter_system_calls(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (filter == NULL) return -1;
    int failed = allow_with_arguments(filter);
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
    }
    if (!failed) failed = seccomp_load(filter);
    seccomp_release(filter);
    return failed;
}

int enter_sandbox(void) {
    if (set_limit(RLIMIT_FSIZE, 0) != 0) return -1;
    if (prctl(PR_SET_DUMPABLE, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    deny_files();
    return filter_system_calls();
}
