// Draws an SVG file: only its pixels leave this program.
#ifndef VITRINE_MEDIA_VECTOR_H
#define VITRINE_MEDIA_VECTOR_H

#include <stddef.h>

#include "image.h"

/// The pixels of a drawing: red, green, blue, alpha.
struct drawing {
    unsigned char *pixels;
    int width, height;
};

/// Initializes libxml2, so that it never opens another file.
void prepare_drawings(void);

/// Draws an SVG file with its longer side at the largest width. Returns 1, or 0 after a refusal.
int draw(const void *bytes, size_t length, const struct options *options, struct drawing *drawing);

#endif
