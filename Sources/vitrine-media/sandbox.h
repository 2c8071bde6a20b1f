// The sandbox in which the helper reads untrusted data.
#ifndef VITRINE_MEDIA_SANDBOX_H
#define VITRINE_MEDIA_SANDBOX_H

/// Limits memory (in MiB), CPU time (in seconds), open files and core dumps for good. Returns 0, or -1.
int limit_resources(long memory, long seconds);

/// Denies opening files, creating sockets, starting programs and accessing other processes. Returns 0, or -1.
int enter_sandbox(void);

#endif
