// vitrine-media: turns an uploaded image into the files that readers get. The daemon starts it once for each upload.
//
//   vitrine-media MEMORY_MIB CPU_SECONDS MAX_PIXELS WIDTH,WIDTH,… < upload > answer
//
// The answer is either a refusal, a code and a sentence:
//   refused CODE
//   SENTENCE
// or the files, narrow to wide, the last of them as large as the image; after an empty line their bytes follow:
//   image TYPE
//   file WIDTH HEIGHT BYTES
// The exit code is 0 for both. Anything else means that the image was more than the limits allow.
#include "jail.h"
#include "image.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 64, EXIT_INPUT = 66, EXIT_JAIL = 71, EXIT_OUTPUT = 74 };

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
    size_t room = 1 << 20;
    char *bytes = malloc(room);
    *length = 0;
    while (bytes != NULL) {
        ssize_t got = read(STDIN_FILENO, bytes + *length, room - *length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        if (got == 0) return bytes;
        *length += (size_t)got;
        if (*length == room) {
            room *= 2;
            char *larger = realloc(bytes, room);
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

static int read_widths(const char *text, struct wishes *wishes) {
    while (*text != '\0') {
        char *end;
        long long width = number(text, &end);
        if (width == 0 || width > 20000 || wishes->width_count == MAX_WIDTHS) return -1;
        wishes->widths[wishes->width_count++] = (int)width;
        if (*end == ',') end++;
        else if (*end != '\0') return -1;
        text = end;
    }
    return 0;
}

int main(int count, char **arguments) {
    struct wishes wishes = {0};
    char *end;
    if (count != 5 || read_widths(arguments[4], &wishes) != 0) return EXIT_USAGE;
    long long memory = number(arguments[1], &end), seconds = number(arguments[2], &end);
    wishes.max_pixels = number(arguments[3], &end);
    if (memory == 0 || seconds == 0 || wishes.max_pixels == 0) return EXIT_USAGE;
    // Each thread would reserve 64 MiB of addresses for itself, which the limit counts.
    mallopt(M_ARENA_MAX, 1);
    if (limit_resources((long)memory, (long)seconds) != 0) return EXIT_JAIL;
    if (prepare_images(arguments[0]) != 0) return EXIT_JAIL;
    if (close_doors() != 0) return EXIT_JAIL;
    size_t length;
    char *bytes = read_all(&length);
    if (bytes == NULL) return EXIT_INPUT;
    return make_files(bytes, length, &wishes);
}
