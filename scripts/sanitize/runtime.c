// Tells ThreadSanitizer what happens in the libraries of Swift, which aren't instrumented. Preloaded by scripts/sanitize.sh.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

static void acquire(void *address) {
    if (__tsan_acquire) __tsan_acquire(address);
}

static void release(void *address) {
    if (__tsan_release) __tsan_release(address);
}

// A contended Mutex waits in the kernel. The fast path is compiled into the caller, and seen.

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
    SWIFT void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    next(thread, handle);
    acquire(handle);
}

SWIFT bool try_lock_slow(SELF) {
    SWIFT bool (*next)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool is_locked = next(handle);
    if (is_locked) acquire(handle);
    return is_locked;
}

SWIFT void unlock_slow(SELF) {
    SWIFT void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    release(handle);
    next(handle);
}

// A task that awaits a continuation sees what its resumption did; the library says so only if the task had to wait.

SWIFT void *swift_task_getCurrent(void);

SWIFT void swift_continuation_resume(void *task) {
    SWIFT void (*next)(void *) = dlsym(RTLD_NEXT, "swift_continuation_resume");
    release(task);
    next(task);
}

SWIFT void swift_continuation_throwingResume(void *task) {
    SWIFT void (*next)(void *) = dlsym(RTLD_NEXT, "swift_continuation_throwingResume");
    release(task);
    next(task);
}

SWIFT void swift_continuation_throwingResumeWithError(void *task, void *error) {
    SWIFT void (*next)(void *, void *) = dlsym(RTLD_NEXT, "swift_continuation_throwingResumeWithError");
    release(task);
    next(task, error);
}

typedef __attribute__((swiftasynccall)) void (*await)(void *continuation);

__attribute__((swiftasynccall)) void swift_continuation_await(void *continuation) {
    await next = (await)dlsym(RTLD_NEXT, "swift_continuation_await");
    acquire(swift_task_getCurrent());
    __attribute__((musttail)) return next(continuation);
}
