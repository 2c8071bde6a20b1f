// Typed wrappers of libmicrohttpd, the validation of request heads, and socket calls.
#ifndef VITRINE_CMICROHTTPD_H
#define VITRINE_CMICROHTTPD_H

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

/// Callbacks of libmicrohttpd; the first argument of each is `context`.
struct vitrine_mhd_callbacks {
    void *context;
    /// The request target before parsing; the result is passed to the later calls for the request.
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    /// libmicrohttpd is about to reject a request that it cannot parse, with this status.
    void (*rejected)(void *context, unsigned int status);
};

/// Starts a daemon without threads and without a listening socket, or returns NULL. The callbacks must outlive it.
struct MHD_Daemon *vitrine_mhd_start(struct vitrine_mhd_callbacks *callbacks, size_t memory_per_connection);
int vitrine_mhd_epoll(struct MHD_Daemon *daemon);
/// Whether the daemon has work that its epoll descriptor does not announce.
int vitrine_mhd_must_run(struct MHD_Daemon *daemon);
int vitrine_mhd_socket(struct MHD_Connection *connection);
const struct sockaddr *vitrine_mhd_address(struct MHD_Connection *connection);
/// The value that the connection callback stored for this connection.
void *vitrine_mhd_context(struct MHD_Connection *connection);

/// One header line; the bytes belong to libmicrohttpd and end with the first callback of the request.
struct vitrine_header {
    const char *name;
    size_t name_length;
    const char *value;
    size_t value_length;
};

enum vitrine_head_fault {
    VITRINE_HEAD_LAYOUT = -1,
    VITRINE_HEAD_NAME = -2,
    VITRINE_HEAD_VALUE = -3,
    VITRINE_HEAD_COUNT = -4,
};

/// Collects the header lines of a request and checks that the received bytes are a strict HTTP/1 head: deviations that
/// libmicrohttpd accepts (folded lines, bare CR or LF, NUL, spaces before the colon) are faults.
/// Returns the number of headers, or a fault.
int vitrine_mhd_read_head(struct MHD_Connection *connection, const char *method, const char *target,
                          size_t target_length, const char *version, struct vitrine_header *headers, int capacity);
/// The size of the head in bytes; 0 until it is complete.
size_t vitrine_mhd_head_size(struct MHD_Connection *connection);

/// Accepts one connection (non-blocking, close on exec); returns the descriptor or a negative errno.
int vitrine_accept(int listener, struct sockaddr_storage *address, socklen_t *length);
/// Makes the kernel drop packets of connections that are not established yet, so that closing a listening socket with
/// an empty queue resets no connection.
void vitrine_stop_handshakes(int listener);
/// The read state: 1 for available bytes, 0 for none, -1 if the peer has closed and all bytes were read.
int vitrine_input(int socket);
/// Whether the peer has closed its side or the connection, also if bytes are left to read.
int vitrine_has_left(int socket);
/// The bytes written but not acknowledged, and the bytes acknowledged since the start of the connection.
int vitrine_unsent(int socket);
uint64_t vitrine_acknowledged(int socket);

#endif
