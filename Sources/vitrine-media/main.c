// vitrine-media: re-encodes an uploaded image in several widths. The daemon starts it once for each upload.
//
//   vitrine-media MEMORY_MIB CPU_SECONDS MAX_PIXELS WIDTH,WIDTH,… [LEFT,TOP,WIDTH,HEIGHT] < upload > output
//
// The last argument is the part of the image that the files show, in thousandths of its width and height.
// The output is either a refusal, a code and a message:
//   refused CODE
//   MESSAGE
// or the files by width, the last with the full size; their bytes follow after an empty line:
//   image TYPE
//   file WIDTH HEIGHT BYTES
// The exit code is 0 for both. Any other exit code means that a limit was exceeded.
#include "image.h"
#include "sandbox.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { EXIT_USAGE = 64, EXIT_INPUT = 66, EXIT_SANDBOX = 71, EXIT_OUTPUT = 74 };

void write_all(const void *bytes, size_t length) {
    const char *next = bytes;
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, next, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _exit(EXIT_OUTPUT);
        next += written;
        length -= (size_t)written;
    }
}

int refuse(const char *code, const char *format, ...) {
    char line[600];
    int length = snprintf(line, sizeof line, "refused %s\n", code);
    write_all(line, (size_t)length);
    va_list arguments;
    va_start(arguments, format);
    length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof line) length = sizeof line - 1;
    write_all(line, (size_t)length);
    write_all("\n", 1);
    return 0;
}

static char *read_all(size_t *length) {
    size_t capacity = 1 << 20;
    char *bytes = malloc(capacity);
    *length = 0;
    while (bytes != NULL) {
        ssize_t received = read(STDIN_FILENO, bytes + *length, capacity - *length);
        if (received < 0 && errno == EINTR) continue;
        if (received < 0) break;
        if (received == 0) return bytes;
        *length += (size_t)received;
        if (*length == capacity) {
            capacity *= 2;
            char *larger = realloc(bytes, capacity);
            if (larger == NULL) break;
            bytes = larger;
        }
    }
    free(bytes);
    return NULL;
}

/// Reads a whole number above zero; 0 for anything else.
static long long number(const char *text, char **end) {
    errno = 0;
    long long value = strtoll(text, end, 10);
    return errno == 0 && *end != text && value > 0 ? value : 0;
}

static int read_widths(const char *text, struct options *options) {
    while (*text != '\0') {
        char *end;
        long long width = number(text, &end);
        if (width == 0 || width > 20000 || options->width_count == MAX_WIDTHS) return -1;
        options->widths[options->width_count++] = (int)width;
        if (*end == ',') end++;
        else if (*end != '\0') return -1;
        text = end;
    }
    return 0;
}

/// Reads the rectangle, which is inside the image and not empty.
static int read_crop(const char *text, int *crop) {
    char rest;
    if (sscanf(text, "%4d,%4d,%4d,%4d%c", &crop[0], &crop[1], &crop[2], &crop[3], &rest) != 4) return -1;
    int is_inside = crop[0] >= 0 && crop[1] >= 0 && crop[2] > 0 && crop[3] > 0 && crop[0] + crop[2] <= 1000 &&
                    crop[1] + crop[3] <= 1000;
    return is_inside ? 0 : -1;
}

int main(int count, char **arguments) {
    struct options options = {.crop = {0, 0, 1000, 1000}};
    char *end;
    if ((count != 5 && count != 6) || read_widths(arguments[4], &options) != 0) return EXIT_USAGE;
    if (count == 6 && read_crop(arguments[5], options.crop) != 0) return EXIT_USAGE;
    long long memory = number(arguments[1], &end), seconds = number(arguments[2], &end);
    options.max_pixels = number(arguments[3], &end);
    if (memory == 0 || seconds == 0 || options.max_pixels == 0) return EXIT_USAGE;
    // Requests for pages go first.
    (void)setpriority(PRIO_PROCESS, 0, 10);
    // Each thread would reserve 64 MiB of address space, which counts towards the limit.
    mallopt(M_ARENA_MAX, 1);
    if (limit_resources((long)memory, (long)seconds) != 0) return EXIT_SANDBOX;
    if (prepare_images(arguments[0]) != 0) return EXIT_SANDBOX;
    if (enter_sandbox() != 0) return EXIT_SANDBOX;
    size_t length;
    char *bytes = read_all(&length);
    if (bytes == NULL) return EXIT_INPUT;
    return encode_files(bytes, length, &options);
}
