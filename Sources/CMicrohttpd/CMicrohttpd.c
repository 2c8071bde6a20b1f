// Typed wrappers of libmicrohttpd, the validation of request heads, and socket calls.
#include "CMicrohttpd.h"
#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

// libmicrohttpd has no callback for requests that it rejects itself; only its log reports them.
static void logged(void *context, const char *format, va_list arguments) {
    struct vitrine_mhd_callbacks *callbacks = context;
    const char *rejection = "Error processing request (HTTP response code is %u";
    if (strncmp(format, rejection, strlen(rejection)) == 0)
        callbacks->rejected(callbacks->context, va_arg(arguments, unsigned int));
}

// The target is in the buffer of libmicrohttpd. After copying it, its query is hidden from libmicrohttpd, which would
// store every argument in the memory of the connection and hang with a thousand of them.
static void *target_received(void *context, const char *target, struct MHD_Connection *connection) {
    struct vitrine_mhd_callbacks *callbacks = context;
    void *result = callbacks->target(callbacks->context, target, connection);
    char *query = target == NULL ? NULL : strchr(target, '?');
    if (query != NULL && query[1] != 0) query[1] = 0;
    return result;
}

struct MHD_Daemon *vitrine_mhd_start(struct vitrine_mhd_callbacks *callbacks, size_t memory_per_connection) {
    return MHD_start_daemon(
        MHD_USE_ERROR_LOG | MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL,
        callbacks->request, callbacks->context,
        MHD_OPTION_EXTERNAL_LOGGER, logged, callbacks,
        MHD_OPTION_URI_LOG_CALLBACK, target_received, callbacks,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_per_connection,
        // The server itself enforces the connection limit and all deadlines.
        MHD_OPTION_CONNECTION_LIMIT, (unsigned int)INT_MAX,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)0,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_END);
}

int vitrine_mhd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

int vitrine_mhd_must_run(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG wait;
    return MHD_get_timeout(daemon, &wait) == MHD_YES && wait == 0;
}

int vitrine_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

const struct sockaddr *vitrine_mhd_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

void *vitrine_mhd_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

size_t vitrine_mhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

// MARK: Request heads

struct head {
    struct vitrine_header *headers;
    int capacity;
    int count;
    int fault;
    const char *next;  // where the next header line must begin
};

static int is_token(unsigned char byte) {
    if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z')) return 1;
    return byte != 0 && strchr("!#$%&'*+-.^_`|~", byte) != NULL;
}

static enum MHD_Result add_header(void *context, enum MHD_ValueKind kind, const char *name, size_t name_length,
                                  const char *value, size_t value_length) {
    struct head *head = context;
    (void)kind;
    if (head->count >= head->capacity) {
        head->fault = VITRINE_HEAD_COUNT;
        return MHD_NO;
    }
    // libmicrohttpd parses in place and replaces the colon and the line ending with NULs: lines without a gap between
    // them were `name: value CRLF`, without folding, truncation at a NUL or other line endings.
    // (Only `NUL LF` now looks like CRLF; both end a line.)
    const char *gap = name + name_length + 1;
    if (name != head->next || value == NULL || value < gap) {
        head->fault = VITRINE_HEAD_LAYOUT;
        return MHD_NO;
    }
    if (name_length == 0) head->fault = VITRINE_HEAD_NAME;
    for (size_t index = 0; index < name_length; index++)
        if (!is_token((unsigned char)name[index])) head->fault = VITRINE_HEAD_NAME;
    for (; gap < value; gap++)
        if (*gap != ' ' && *gap != '\t') head->fault = VITRINE_HEAD_LAYOUT;
    for (size_t index = 0; index < value_length; index++) {
        unsigned char byte = (unsigned char)value[index];
        if ((byte < ' ' && byte != '\t') || byte == 0x7f) head->fault = VITRINE_HEAD_VALUE;
    }
    const char *end = value + value_length;
    if (end[0] != 0 || end[1] != 0) head->fault = VITRINE_HEAD_LAYOUT;
    if (head->fault != 0) return MHD_NO;
    head->next = end + 2;
    head->headers[head->count++] = (struct vitrine_header){name, name_length, value, value_length};
    return MHD_YES;
}

int vitrine_mhd_read_head(struct MHD_Connection *connection, const char *method, const char *target,
                          size_t target_length, const char *version, struct vitrine_header *headers, int capacity) {
    struct head head = {headers, capacity, 0, 0, version + strlen(version) + 2};
    int one_space_each = target == method + strlen(method) + 1 && version == target + target_length + 1;
    if (!one_space_each || head.next[-1] != 0) return VITRINE_HEAD_LAYOUT;
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, add_header, &head);
    if (head.fault != 0) return head.fault;
    // The empty line follows the last header and must end the head.
    size_t size = (size_t)(head.next + 2 - method);
    if (head.next[0] != 0 || head.next[1] != 0 || size != vitrine_mhd_head_size(connection))
        return VITRINE_HEAD_LAYOUT;
    return head.count;
}

// MARK: Sockets

int vitrine_accept(int listener, struct sockaddr_storage *address, socklen_t *length) {
    int accepted = accept4(listener, (struct sockaddr *)address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    return accepted < 0 ? -errno : accepted;
}

void vitrine_stop_handshakes(int listener) {
    struct sock_filter drop = {BPF_RET | BPF_K, 0, 0, 0};
    struct sock_fprog program = {1, &drop};
    setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

int vitrine_input(int socket) {
    char byte;
    ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count == 0) return -1;
    return count > 0;
}

int vitrine_has_left(int socket) {
    struct pollfd request = {socket, POLLRDHUP, 0};
    return poll(&request, 1, 0) > 0;
}

int vitrine_unsent(int socket) {
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : 0;
}

uint64_t vitrine_acknowledged(int socket) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    memset(&info, 0, sizeof info);
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 ? info.tcpi_bytes_acked : 0;
}
