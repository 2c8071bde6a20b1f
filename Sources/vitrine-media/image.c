// Decodes a image with libvips and encodes it anew in every width: nothing of the upload but its pixels comes out.
#include "image.h"

#include <stdio.h>
#include <string.h>
#include <vips/vips.h>

/// The width of the widest side that JPEG can hold.
#define MAX_SIDE 16384

struct file {
    void *bytes;
    size_t length;
    int width, height;
};

enum kind { UNKNOWN, JPEG, PNG, GIF, WEBP, HEIF, MARKUP, OTHER };

/// What the libraries complain of is answered as a refusal, or does not matter.
static void say_nothing(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer context) {
    (void)domain, (void)level, (void)message, (void)context;
}

int prepare_images(const char *program) {
    g_log_set_default_handler(say_nothing, NULL);
    if (VIPS_INIT(program) != 0) return -1;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    return 0;
}

static int begins(const unsigned char *bytes, size_t length, size_t at, const char *mark) {
    return length >= at + strlen(mark) && memcmp(bytes + at, mark, strlen(mark)) == 0;
}

/// What the content is, whatever its name or announced type says.
static enum kind kind_of(const unsigned char *bytes, size_t length) {
    static const char *const brands[] = {"heic", "heix", "heim", "heis", "mif1", "msf1", "avif", "avis"};
    if (begins(bytes, length, 0, "\xFF\xD8\xFF")) return JPEG;
    if (begins(bytes, length, 0, "\x89PNG\r\n\x1A\n")) return PNG;
    if (begins(bytes, length, 0, "GIF87a") || begins(bytes, length, 0, "GIF89a")) return GIF;
    if (begins(bytes, length, 0, "RIFF") && begins(bytes, length, 8, "WEBP")) return WEBP;
    for (size_t i = 0; i < sizeof brands / sizeof *brands; i++) {
        if (begins(bytes, length, 4, "ftyp") && begins(bytes, length, 8, brands[i])) return HEIF;
    }
    if (begins(bytes, length, 0, "BM") || begins(bytes, length, 0, "%PDF") || begins(bytes, length, 0, "II*") ||
        begins(bytes, length, 0, "MM")) {
        return OTHER;
    }
    size_t start = begins(bytes, length, 0, "\xEF\xBB\xBF") ? 3 : 0;
    while (start < length && (bytes[start] == ' ' || (bytes[start] >= '\t' && bytes[start] <= '\r'))) start++;
    return start < length && bytes[start] == '<' ? MARKUP : UNKNOWN;
}

/// Reads the head only; the pixels are decoded when they are asked for. Damage is an error, not a gray area.
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

/// Runs one step: gives the old image back and takes the new one. Answers NULL when the step failed.
#define STEP(image, call)                  \
    do {                                   \
        VipsImage *next = NULL;            \
        int failed = (call);               \
        g_object_unref(image);             \
        if (failed) return NULL;           \
        (image) = next;                    \
    } while (0)

/// All pixels in memory, upright, in sRGB with 8 bits, with an alpha channel only where something shows through.
static VipsImage *decoded(VipsImage *image) {
    STEP(image, (next = vips_image_copy_memory(image)) == NULL);
    STEP(image, vips_autorot(image, &next, NULL));
    if (vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0) {
        VipsImage *next = NULL;
        // A profile that cannot be read is left out; the colors are then taken for those of sRGB.
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
        double least = 0;
        if (vips_extract_band(image, &alpha, image->Bands - 1, NULL) == 0) {
            vips_min(alpha, &least, NULL);
            g_object_unref(alpha);
        }
        if (least == 255) STEP(image, vips_extract_band(image, &next, 0, "n", image->Bands - 1, NULL));
    }
    return image;
}

static int encode(VipsImage *image, int is_transparent, struct file *file) {
    file->width = image->Xsize;
    file->height = image->Ysize;
    if (is_transparent) {
        return vips_pngsave_buffer(image, &file->bytes, &file->length, "strip", TRUE, "compression", 9, NULL);
    }
    return vips_jpegsave_buffer(image, &file->bytes, &file->length, "strip", TRUE, "Q", 84, "interlace", TRUE,
                                "optimize_coding", TRUE, NULL);
}

static int encode_at(VipsImage *image, int width, int is_transparent, struct file *file) {
    VipsImage *smaller = NULL;
    int failed = vips_thumbnail_image(image, &smaller, width, "height", VIPS_MAX_COORD, "size", VIPS_SIZE_DOWN, NULL);
    if (failed) return failed;
    failed = encode(smaller, is_transparent, file);
    g_object_unref(smaller);
    return failed;
}

static void answer(const struct file *files, int count, const char *type) {
    char line[100];
    write_all(line, (size_t)snprintf(line, sizeof line, "image %s\n", type));
    for (int i = 0; i < count; i++) {
        int length = snprintf(line, sizeof line, "file %d %d %zu\n", files[i].width, files[i].height, files[i].length);
        write_all(line, (size_t)length);
    }
    write_all("\n", 1);
    for (int i = 0; i < count; i++) write_all(files[i].bytes, files[i].length);
}

static int refuse_kind(enum kind kind, size_t length) {
    if (length == 0) return refuse("empty", "The file is empty.");
    if (kind == MARKUP) {
        return refuse("svg", "This is a drawing or page made of text (SVG, HTML or XML), which can hold programs. "
                             "Save it as PNG and upload that.");
    }
    return refuse("not_a_image", "This is not a image of a kind we take. Upload a JPEG, PNG, WebP, GIF, HEIC or AVIF file.");
}

/// The libraries say in words when they had too little memory, for pixels or for a thread.
static int refuse_damaged(void) {
    const char *words = vips_error_buffer();
    if (strcasestr(words, "memory") != NULL || strstr(words, "creating thread") != NULL) {
        return refuse("too_costly", "Reading this image takes more memory than is allowed. Make it smaller and upload that.");
    }
    return refuse("damaged", "The image is damaged or incomplete: not all of it can be read. Save it anew and upload that.");
}

int make_files(const void *bytes, size_t length, const struct wishes *wishes) {
    enum kind kind = kind_of(bytes, length);
    if (length == 0 || kind == UNKNOWN || kind == MARKUP || kind == OTHER) return refuse_kind(kind, length);
    VipsImage *image = open_image(kind, bytes, length);
    if (image == NULL) return refuse_damaged();
    long long pixels = (long long)image->Xsize * image->Ysize;
    if (pixels > wishes->max_pixels || image->Xsize > MAX_SIDE || image->Ysize > MAX_SIDE) {
        return refuse("too_many_pixels", "The image is %d by %d pixels; at most %lld pixels are taken, and %d on a side.",
                      image->Xsize, image->Ysize, wishes->max_pixels, MAX_SIDE);
    }
    // HEIF files hold variants of one image; the loader gives the primary one.
    int frames = kind == HEIF ? 1 : vips_image_get_n_pages(image);
    if (frames > 1) {
        return refuse("animated", "The image moves: it has %d frames. Upload a still image; films are videos.", frames);
    }
    image = decoded(image);
    if (image == NULL) return refuse_damaged();
    int is_transparent = vips_image_hasalpha(image);
    struct file files[MAX_WIDTHS + 1];
    int count = 0;
    for (int i = 0; i < wishes->width_count; i++) {
        if (wishes->widths[i] >= image->Xsize) continue;
        if (encode_at(image, wishes->widths[i], is_transparent, &files[count++]) != 0) return refuse_damaged();
    }
    if (encode(image, is_transparent, &files[count++]) != 0) return refuse_damaged();
    answer(files, count, is_transparent ? "image/png" : "image/jpeg");
    return 0;
}
