// Decodes an image and re-encodes it in several widths.
#ifndef VITRINE_MEDIA_IMAGE_H
#define VITRINE_MEDIA_IMAGE_H

#include <stddef.h>

#define MAX_WIDTHS 16

struct options {
    long long max_pixels;
    int widths[MAX_WIDTHS];
    int width_count;
    /// What is shown of the image, in thousandths of its width and height: left, top, width, height.
    int crop[4];
};

/// Initializes libvips, which loads everything that it needs from disk.
int prepare_images(const char *program);

/// Decodes the bytes and writes the result to standard output, as documented in main.c. Returns an exit code.
int encode_files(const void *bytes, size_t length, const struct options *options);

/// Writes a refusal: a code and a message for the uploader. Returns an exit code.
int refuse(const char *code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Writes all bytes to standard output, or exits.
void write_all(const void *bytes, size_t length);

#endif
