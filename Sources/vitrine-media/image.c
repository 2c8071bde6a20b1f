// Decodes an image with libvips and re-encodes it in every width: only the pixels of the upload are kept.
#include "image.h"
#include "vector.h"

#include <stdio.h>
#include <string.h>
#include <vips/vips.h>
#include <vips/vector.h>

/// The longest side of an image that is accepted.
#define MAX_SIDE 16384

struct file {
    void *bytes;
    size_t length;
    int width, height;
};

enum kind { UNKNOWN, JPEG, PNG, GIF, WEBP, HEIF, MARKUP, OTHER };

/// Errors of the libraries are reported as refusals; their log is discarded.
static void discard_log(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer context) {
    (void)domain, (void)level, (void)message, (void)context;
}

int prepare_images(const char *program) {
    g_log_set_default_handler(discard_log, NULL);
    if (VIPS_INIT(program) != 0) return -1;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    // It would compile code while decoding; the sandbox has no executable memory for it.
    vips_vector_set_enabled(FALSE);
    prepare_drawings();
    return 0;
}

static int has_signature(const unsigned char *bytes, size_t length, size_t at, const char *signature) {
    return length >= at + strlen(signature) && memcmp(bytes + at, signature, strlen(signature)) == 0;
}

/// The type of the content; its name and declared type don't count.
static enum kind kind_of(const unsigned char *bytes, size_t length) {
    static const char *const brands[] = {"heic", "heix", "heim", "heis", "mif1", "msf1", "avif", "avis"};
    if (has_signature(bytes, length, 0, "\xFF\xD8\xFF")) return JPEG;
    if (has_signature(bytes, length, 0, "\x89PNG\r\n\x1A\n")) return PNG;
    if (has_signature(bytes, length, 0, "GIF87a") || has_signature(bytes, length, 0, "GIF89a")) return GIF;
    if (has_signature(bytes, length, 0, "RIFF") && has_signature(bytes, length, 8, "WEBP")) return WEBP;
    for (size_t i = 0; i < sizeof brands / sizeof *brands; i++) {
        if (has_signature(bytes, length, 4, "ftyp") && has_signature(bytes, length, 8, brands[i])) return HEIF;
    }
    if (has_signature(bytes, length, 0, "BM") || has_signature(bytes, length, 0, "%PDF") || has_signature(bytes, length, 0, "II*") ||
        has_signature(bytes, length, 0, "MM")) {
        return OTHER;
    }
    size_t start = has_signature(bytes, length, 0, "\xEF\xBB\xBF") ? 3 : 0;
    while (start < length && (bytes[start] == ' ' || (bytes[start] >= '\t' && bytes[start] <= '\r'))) start++;
    return start < length && bytes[start] == '<' ? MARKUP : UNKNOWN;
}

/// Reads only the header; the pixels are decoded on demand. Damaged data is an error.
static VipsImage *open_image(enum kind kind, const void *bytes, size_t length) {
    VipsImage *image = NULL;
    void *data = (void *)bytes;
    switch (kind) {
    case JPEG: vips_jpegload_buffer(data, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL); break;
    case PNG: vips_pngload_buffer(data, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL); break;
    case GIF: vips_gifload_buffer(data, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL); break;
    case WEBP: vips_webpload_buffer(data, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL); break;
    case HEIF: vips_heifload_buffer(data, length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL); break;
    default: break;
    }
    return image;
}

/// Runs one step: releases the old image and continues with the new one. Returns NULL when the step failed.
#define STEP(image, call)                  \
    do {                                   \
        VipsImage *next = NULL;            \
        int failed = (call);               \
        g_object_unref(image);             \
        if (failed) return NULL;           \
        (image) = next;                    \
    } while (0)

/// All pixels in memory, upright, in sRGB with 8 bits, with an alpha channel only if any pixel is transparent.
static VipsImage *decoded(VipsImage *image) {
    STEP(image, (next = vips_image_copy_memory(image)) == NULL);
    STEP(image, vips_autorot(image, &next, NULL));
    if (vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0) {
        VipsImage *next = NULL;
        // Without a readable profile the colors are treated as sRGB.
        if (vips_icc_transform(image, &next, "srgb", "embedded", TRUE, NULL) == 0) {
            g_object_unref(image);
            image = next;
        }
    }
    STEP(image, vips_colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL));
    if (image->BandFmt != VIPS_FORMAT_UCHAR) STEP(image, vips_cast_uchar(image, &next, NULL));
    STEP(image, (next = vips_image_copy_memory(image)) == NULL);
    if (vips_image_hasalpha(image)) {
        VipsImage *alpha = NULL;
        double minimum = 0;
        if (vips_extract_band(image, &alpha, image->Bands - 1, NULL) == 0) {
            vips_min(alpha, &minimum, NULL);
            g_object_unref(alpha);
        }
        if (minimum == 255) STEP(image, vips_extract_band(image, &next, 0, "n", image->Bands - 1, NULL));
    }
    return image;
}

static int encode(VipsImage *image, int is_png, struct file *file) {
    file->width = image->Xsize;
    file->height = image->Ysize;
    if (is_png) {
        return vips_pngsave_buffer(image, &file->bytes, &file->length, "strip", TRUE, "compression", 9, NULL);
    }
    return vips_jpegsave_buffer(image, &file->bytes, &file->length, "strip", TRUE, "Q", 84, "interlace", TRUE,
                                "optimize_coding", TRUE, NULL);
}

static int encode_at(VipsImage *image, int width, int is_png, struct file *file) {
    VipsImage *smaller = NULL;
    int failed = vips_thumbnail_image(image, &smaller, width, "height", VIPS_MAX_COORD, "size", VIPS_SIZE_DOWN, NULL);
    if (failed) return failed;
    failed = encode(smaller, is_png, file);
    g_object_unref(smaller);
    return failed;
}

static void write_files(const struct file *files, int count, const char *type) {
    char line[100];
    write_all(line, (size_t)snprintf(line, sizeof line, "image %s\n", type));
    for (int i = 0; i < count; i++) {
        int length = snprintf(line, sizeof line, "file %d %d %zu\n", files[i].width, files[i].height, files[i].length);
        write_all(line, (size_t)length);
    }
    write_all("\n", 1);
    for (int i = 0; i < count; i++) write_all(files[i].bytes, files[i].length);
}

static int refuse_kind(size_t length) {
    if (length == 0) return refuse("empty", "The file is empty.");
    return refuse("not_an_image", "The file is not a supported image. Upload a JPEG, PNG, WebP, GIF, HEIC, AVIF or SVG file.");
}

/// The libraries report a lack of memory, for pixels or for a thread, only in their messages.
static int refuse_damaged(void) {
    const char *message = vips_error_buffer();
    if (strcasestr(message, "memory") != NULL || strstr(message, "creating thread") != NULL) {
        return refuse("too_costly", "Processing this image exceeds the memory limit. Upload a smaller image.");
    }
    return refuse("damaged", "The image is damaged or incomplete. Save it again and upload that.");
}

/// The part of the image that is shown, at least one pixel. NULL when it failed.
static VipsImage *cropped(VipsImage *image, const int *crop) {
    int width = image->Xsize, height = image->Ysize;
    int left = width * crop[0] / 1000, top = height * crop[1] / 1000;
    int right = (width * (crop[0] + crop[2]) + 999) / 1000, bottom = (height * (crop[1] + crop[3]) + 999) / 1000;
    if (left == 0 && top == 0 && right == width && bottom == height) return image;
    STEP(image, vips_extract_area(image, &next, left, top, right - left, bottom - top, NULL));
    return image;
}

/// Encodes the crop of the image in every width that is smaller than its own, and in its own.
static int encode_all(VipsImage *image, int is_png, const struct options *options) {
    image = cropped(image, options->crop);
    if (image == NULL) return refuse_damaged();
    struct file files[MAX_WIDTHS + 1];
    int count = 0;
    for (int i = 0; i < options->width_count; i++) {
        if (options->widths[i] >= image->Xsize) continue;
        if (encode_at(image, options->widths[i], is_png, &files[count++]) != 0) return refuse_damaged();
    }
    if (encode(image, is_png, &files[count++]) != 0) return refuse_damaged();
    write_files(files, count, is_png ? "image/png" : "image/jpeg");
    return 0;
}

/// Drawings have sharp edges: they are always PNG.
static int encode_drawing(const void *bytes, size_t length, const struct options *options) {
    struct drawing drawing;
    if (!draw(bytes, length, options, &drawing)) return 0;
    size_t size = (size_t)drawing.width * (size_t)drawing.height * 4;
    VipsImage *image =
        vips_image_new_from_memory(drawing.pixels, size, drawing.width, drawing.height, 4, VIPS_FORMAT_UCHAR);
    if (image == NULL) return refuse_damaged();
    image->Type = VIPS_INTERPRETATION_sRGB;
    image = decoded(image);
    return image == NULL ? refuse_damaged() : encode_all(image, 1, options);
}

static size_t read_big_endian(const unsigned char *bytes) {
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/// The frames that a PNG announces before its pixels, which libvips does not read; 1 for a still one.
static int png_frames(const unsigned char *bytes, size_t length) {
    size_t at = 8;
    while (at + 12 <= length) {
        size_t size = read_big_endian(bytes + at);
        if (size > length - at - 12 || has_signature(bytes, length, at + 4, "IDAT")) return 1;
        if (size >= 4 && has_signature(bytes, length, at + 4, "acTL")) {
            size_t frames = read_big_endian(bytes + at + 8);
            return frames < 1 ? 1 : frames > 1000000 ? 1000000 : (int)frames;
        }
        at += 12 + size;
    }
    return 1;
}

/// Whether a HEIF or AVIF file has a box with tracks beside its images: it is a sequence of images, of which libvips reads
/// only the primary one.
static int has_tracks(const unsigned char *bytes, size_t length) {
    size_t at = 0;
    while (at + 8 <= length) {
        if (has_signature(bytes, length, at + 4, "moov")) return 1;
        size_t size = read_big_endian(bytes + at);
        // A size of 64 bits follows the type; no upload needs its upper half.
        if (size == 1 && at + 16 <= length && read_big_endian(bytes + at + 8) == 0) size = read_big_endian(bytes + at + 12);
        if (size < 8 || size > length - at) return 0;
        at += size;
    }
    return 0;
}

int encode_files(const void *bytes, size_t length, const struct options *options) {
    enum kind kind = kind_of(bytes, length);
    if (length == 0 || kind == UNKNOWN || kind == OTHER) return refuse_kind(length);
    if (kind == MARKUP) return encode_drawing(bytes, length, options);
    if (kind == HEIF && has_tracks(bytes, length)) {
        return refuse("animated", "The image is animated. Upload a still image, or add a video instead.");
    }
    VipsImage *image = open_image(kind, bytes, length);
    if (image == NULL) return refuse_damaged();
    long long pixels = (long long)image->Xsize * image->Ysize;
    if (pixels > options->max_pixels || image->Xsize > MAX_SIDE || image->Ysize > MAX_SIDE) {
        return refuse("too_many_pixels", "The image has %d by %d pixels; the limit is %lld pixels, and %d per side.",
                      image->Xsize, image->Ysize, options->max_pixels, MAX_SIDE);
    }
    // The images of a HEIF file without tracks are variants of one; the loader reads the primary one.
    int frames = kind == HEIF ? 1 : kind == PNG ? png_frames(bytes, length) : vips_image_get_n_pages(image);
    if (frames > 1) {
        return refuse("animated", "The image is animated (%d frames). Upload a still image, or add a video instead.", frames);
    }
    image = decoded(image);
    if (image == NULL) return refuse_damaged();
    return encode_all(image, vips_image_hasalpha(image), options);
}
