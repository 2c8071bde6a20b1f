// Linux system calls for the event loop.
#include "CLinux.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static __thread void *slot;

int vitrine_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int fd, uint32_t events) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = events;
    event.data.fd = fd;
    return epoll_ctl(epoll, operation, fd, &event) == 0 ? 0 : -errno;
}

int vitrine_epoll_add(int epoll, int fd, uint32_t events) { return control(epoll, EPOLL_CTL_ADD, fd, events); }
int vitrine_epoll_change(int epoll, int fd, uint32_t events) { return control(epoll, EPOLL_CTL_MOD, fd, events); }
int vitrine_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0); }

int vitrine_epoll_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds) {
    int count = epoll_wait(epoll, events, capacity, milliseconds);
    return count < 0 ? 0 : count;
}

uint32_t vitrine_epoll_events(const struct epoll_event *events, int index) { return events[index].events; }
int vitrine_epoll_fd(const struct epoll_event *events, int index) { return events[index].data.fd; }

int vitrine_eventfd_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void vitrine_eventfd_signal(int fd) {
    uint64_t one = 1;
    ssize_t written;
    do written = write(fd, &one, sizeof one);
    while (written < 0 && errno == EINTR);
}

void vitrine_eventfd_clear(int fd) {
    uint64_t count;
    ssize_t got;
    do got = read(fd, &count, sizeof count);
    while (got < 0 && errno == EINTR);
}

void vitrine_thread_slot_set(void *pointer) { slot = pointer; }
void *vitrine_thread_slot_get(void) { return slot; }
void vitrine_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }
