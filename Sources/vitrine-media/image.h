// What the helper knows of images: which kinds it takes, and how one becomes the files that readers get.
#ifndef VITRINE_MEDIA_image_H
#define VITRINE_MEDIA_image_H

#include <stddef.h>

#define MAX_WIDTHS 16

struct wishes {
    long long max_pixels;
    int widths[MAX_WIDTHS];
    int width_count;
};

/// Makes libvips ready: everything that it loads from the disk is loaded here.
int prepare_images(const char *program);

/// Decodes the bytes and answers on standard output, in the words that main.c explains. Answers an exit code.
int make_files(const void *bytes, size_t length, const struct wishes *wishes);

/// Answers a refusal: a code and a sentence for whoever sent the image.
int refuse(const char *code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Writes everything, or ends the program.
void write_all(const void *bytes, size_t length);

#endif
