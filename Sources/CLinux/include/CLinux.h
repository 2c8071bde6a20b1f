// Linux calls that the Glibc module does not export (epoll, eventfd, accept4, a thread-local slot).
#ifndef VITRINE_CLINUX_H
#define VITRINE_CLINUX_H

#include <stdint.h>
#include <sys/epoll.h>

int vitrine_epoll_create(void);
int vitrine_epoll_add(int epoll, int fd, uint32_t events);
int vitrine_epoll_change(int epoll, int fd, uint32_t events);
int vitrine_epoll_remove(int epoll, int fd);
int vitrine_epoll_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds);
uint32_t vitrine_epoll_events(const struct epoll_event *events, int index);
int vitrine_epoll_fd(const struct epoll_event *events, int index);

int vitrine_eventfd_create(void);
void vitrine_eventfd_signal(int fd);
void vitrine_eventfd_clear(int fd);

void vitrine_thread_slot_set(void *pointer);
void *vitrine_thread_slot_get(void);
void vitrine_thread_name(const char *name);

#endif
