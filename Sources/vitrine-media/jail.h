// What the helper may not do any more once it has begun to read what a stranger sent.
#ifndef VITRINE_MEDIA_JAIL_H
#define VITRINE_MEDIA_JAIL_H

/// Limits memory (in MiB), processor time (in seconds), files and core dumps, for good. Answers 0, or -1.
int limit_resources(long memory, long seconds);

/// From now on: no file can be opened, no socket made, no program started, no other process touched. Answers 0, or -1.
int close_doors(void);

#endif
