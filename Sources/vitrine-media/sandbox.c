// Removes the helper's access to files, network and processes, so that an exploited decoder can't reach anything.
#include "sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the system call filter does not support this architecture"
#endif

static int set_limit(int resource, rlim_t value) {
    const struct rlimit limit = {value, value};
    return setrlimit(resource, &limit);
}

int limit_resources(long memory, long seconds) {
    int failed = set_limit(RLIMIT_AS, (rlim_t)memory << 20);
    failed |= set_limit(RLIMIT_CPU, (rlim_t)seconds);
    failed |= set_limit(RLIMIT_CORE, 0);
    failed |= set_limit(RLIMIT_NOFILE, 64);
    return failed;
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

#define DENY(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

/// Decoding needs only threads and memory. Denied calls fail with EPERM; calls of another architecture kill the process.
static int deny_system_calls(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
        // The system call numbers of x32.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        DENY(open), DENY(creat), DENY(fork), DENY(vfork), DENY(unlink), DENY(rename), DENY(link), DENY(symlink),
        DENY(mkdir), DENY(rmdir), DENY(mknod), DENY(chmod), DENY(chown),
#endif
        // files
        DENY(openat), DENY(openat2), DENY(open_by_handle_at), DENY(unlinkat), DENY(renameat), DENY(renameat2),
        DENY(linkat), DENY(symlinkat), DENY(mkdirat), DENY(mknodat), DENY(fchmodat), DENY(fchownat), DENY(truncate),
        DENY(mount), DENY(umount2), DENY(chroot), DENY(pivot_root), DENY(memfd_create),
        // network
        DENY(socket), DENY(socketpair), DENY(connect), DENY(bind), DENY(listen), DENY(accept), DENY(accept4),
        DENY(sendto), DENY(sendmsg), DENY(sendmmsg),
        // programs and processes
        DENY(execve), DENY(execveat), DENY(ptrace), DENY(process_vm_readv), DENY(process_vm_writev), DENY(kill),
        DENY(pidfd_open), DENY(pidfd_getfd), DENY(pidfd_send_signal), DENY(prlimit64), DENY(setrlimit),
        DENY(unshare), DENY(setns), DENY(setuid), DENY(setgid),
        // kernel interfaces
        DENY(bpf), DENY(perf_event_open), DENY(io_uring_setup), DENY(userfaultfd), DENY(keyctl), DENY(add_key),
        DENY(request_key), DENY(init_module), DENY(finit_module), DENY(kexec_load),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int enter_sandbox(void) {
    if (set_limit(RLIMIT_FSIZE, 0) != 0) return -1;
    if (prctl(PR_SET_DUMPABLE, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    deny_files();
    return deny_system_calls();
}
