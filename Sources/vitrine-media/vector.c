// Draws an SVG file with librsvg. What would be missing in the result is refused: text, because the sandbox has no fonts;
// other files, which are never opened; and animations.
#include "vector.h"

#include <cairo.h>
#include <librsvg/rsvg.h>
#include <libxml/xmlreader.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The longer side if no widths are configured.
#define DEFAULT_SIDE 1600

static const char *const NAMESPACE = "http://www.w3.org/2000/svg";

/// The sandbox denies opening files, too; this also applies to the parser inside librsvg.
static xmlParserInputPtr open_nothing(const char *url, const char *name, xmlParserCtxtPtr context) {
    (void)url, (void)name, (void)context;
    return NULL;
}

void prepare_drawings(void) {
    xmlInitParser();
    xmlSetExternalEntityLoader(open_nothing);
    // Filters would start a thread for each core, and each thread counts towards the memory limit.
    setenv("RAYON_NUM_THREADS", "1", 1);
}

// MARK: Checking

enum finding { DRAWABLE, NO_SVG, BROKEN, HAS_TEXT, HAS_FILES, IS_ANIMATED };

static int is_one_of(const char *name, const char *const *names) {
    while (*names != NULL) {
        if (strcmp(name, *names++) == 0) return 1;
    }
    return 0;
}

static int starts_with_any(const char *text, const char *const *starts) {
    for (; *starts != NULL; starts++) {
        if (strncasecmp(text, *starts, strlen(*starts)) == 0) return 1;
    }
    return 0;
}

/// Whether the element shows something that is not in the file, or an embedded image of a type that is not drawn.
static int shows_file(xmlTextReaderPtr reader) {
    xmlChar *url = xmlTextReaderGetAttributeNs(reader, BAD_CAST "href", BAD_CAST "http://www.w3.org/1999/xlink");
    if (url == NULL) url = xmlTextReaderGetAttribute(reader, BAD_CAST "href");
    if (url == NULL) return 0;
    const char *start = (const char *)url + strspn((const char *)url, " \t\r\n");
    static const char *const drawn[] = {"#", "data:image/png", "data:image/jpeg", "data:image/jpg", NULL};
    int shows = *start != '\0' && !starts_with_any(start, drawn);
    xmlFree(url);
    return shows;
}

static enum finding check_element(xmlTextReaderPtr reader, int *text_depth) {
    static const char *const texts[] = {"text", "foreignObject", NULL};
    static const char *const files[] = {"image", "feImage", "use", NULL};
    static const char *const animations[] = {"animate", "animateMotion", "animateTransform", "animateColor", "set", NULL};
    const char *uri = (const char *)xmlTextReaderConstNamespaceUri(reader);
    const char *name = (const char *)xmlTextReaderConstLocalName(reader);
    int depth = xmlTextReaderDepth(reader);
    int is_svg = uri != NULL && strcmp(uri, NAMESPACE) == 0;
    if (depth == 0 && (!is_svg || strcmp(name, "svg") != 0)) return NO_SVG;
    if (!is_svg) return DRAWABLE;
    if (is_one_of(name, animations)) return IS_ANIMATED;
    if (is_one_of(name, files) && shows_file(reader)) return HAS_FILES;
    if (*text_depth < 0 && is_one_of(name, texts)) *text_depth = depth;
    return DRAWABLE;
}

static enum finding check_node(xmlTextReaderPtr reader, int *text_depth) {
    if (xmlTextReaderDepth(reader) <= *text_depth) *text_depth = -1;
    switch (xmlTextReaderNodeType(reader)) {
    case XML_READER_TYPE_ELEMENT: return check_element(reader, text_depth);
    case XML_READER_TYPE_TEXT:
    case XML_READER_TYPE_CDATA: {
        const char *text = (const char *)xmlTextReaderConstValue(reader);
        return *text_depth >= 0 && text != NULL && text[strspn(text, " \t\r\n")] != '\0' ? HAS_TEXT : DRAWABLE;
    }
    default: return DRAWABLE;
    }
}

static enum finding check(const void *bytes, size_t length) {
    // Entities are substituted, so that they can't hide anything; libxml2 limits how much they may grow.
    int options = XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    xmlTextReaderPtr reader = xmlReaderForMemory(bytes, (int)length, NULL, NULL, options);
    if (reader == NULL) return BROKEN;
    enum finding finding = DRAWABLE;
    int text_depth = -1, has_elements = 0, state;
    while (finding == DRAWABLE && (state = xmlTextReaderRead(reader)) == 1) {
        has_elements |= xmlTextReaderNodeType(reader) == XML_READER_TYPE_ELEMENT;
        finding = check_node(reader, &text_depth);
    }
    if (finding == DRAWABLE && state != 0) finding = has_elements ? BROKEN : NO_SVG;
    xmlFreeTextReader(reader);
    return finding;
}

static void refuse_finding(enum finding finding) {
    switch (finding) {
    case NO_SVG:
        refuse("not_an_image", "The file is not a supported image. Upload a JPEG, PNG, WebP, GIF, HEIC, AVIF or SVG file.");
        break;
    case HAS_TEXT:
        refuse("svg_text", "The SVG contains text, and its fonts are not part of the file. Convert the text to paths and "
                           "upload the image again.");
        break;
    case HAS_FILES:
        refuse("svg_external", "The SVG shows another file, which is not loaded. Embed it as PNG or JPEG and upload the image again.");
        break;
    case IS_ANIMATED: refuse("animated", "The SVG is animated. Upload a still image, or add a video instead."); break;
    default: refuse("damaged", "The SVG is damaged or incomplete. Save it again and upload that."); break;
    }
}

// MARK: Drawing

/// The size in any unit: only the proportions matter.
static int find_size(RsvgHandle *svg, double *width, double *height) {
    if (rsvg_handle_get_intrinsic_size_in_pixels(svg, width, height) && *width > 0 && *height > 0) return 1;
    gboolean has_width, has_height, has_box;
    RsvgLength lengths[2];
    RsvgRectangle box;
    rsvg_handle_get_intrinsic_dimensions(svg, &has_width, &lengths[0], &has_height, &lengths[1], &has_box, &box);
    *width = box.width, *height = box.height;
    return has_box && box.width > 0 && box.height > 0;
}

/// Sets the size of the drawing: its longer side is the largest width, within the limit of pixels.
static void set_size(double width, double height, const struct options *options, struct drawing *drawing) {
    double side = options->width_count == 0 ? DEFAULT_SIDE : 0;
    for (int i = 0; i < options->width_count; i++) side = fmax(side, options->widths[i]);
    double scale = side / fmax(width, height);
    scale = fmin(scale, sqrt((double)options->max_pixels / (width * height)));
    drawing->width = (int)fmax(1, round(width * scale));
    drawing->height = (int)fmax(1, round(height * scale));
}

/// Cairo's pixels are multiplied by their alpha, in the order blue, green, red, alpha of a little-endian machine.
static void copy_pixels(cairo_surface_t *surface, struct drawing *drawing) {
    const unsigned char *row = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface);
    unsigned char *next = drawing->pixels;
    for (int y = 0; y < drawing->height; y++, row += stride) {
        for (int x = 0; x < drawing->width; x++, next += 4) {
            guint32 pixel = ((const guint32 *)(const void *)row)[x];
            unsigned alpha = pixel >> 24;
            for (int band = 0; band < 3; band++) {
                unsigned color = pixel >> (16 - 8 * band) & 255;
                next[band] = alpha == 0 ? 0 : (unsigned char)((color * 255 + alpha / 2) / alpha);
            }
            next[3] = (unsigned char)alpha;
        }
    }
}

static int draw_handle(RsvgHandle *svg, const struct options *options, struct drawing *drawing) {
    double width, height;
    if (!find_size(svg, &width, &height)) {
        refuse("svg_size", "The SVG has no size. Add a width and a height, or a viewBox, and upload it again.");
        return 0;
    }
    set_size(width, height, options, drawing);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, drawing->width, drawing->height);
    cairo_t *cairo = cairo_create(surface);
    // Scaled here, because a file without a viewBox is not scaled to its viewport.
    cairo_scale(cairo, drawing->width / width, drawing->height / height);
    const RsvgRectangle viewport = {.width = width, .height = height};
    int is_drawn = rsvg_handle_render_document(svg, cairo, &viewport, NULL) && cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
    cairo_surface_flush(surface);
    drawing->pixels = is_drawn ? malloc((size_t)drawing->width * (size_t)drawing->height * 4) : NULL;
    if (drawing->pixels != NULL) copy_pixels(surface, drawing);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    if (drawing->pixels == NULL) refuse_finding(BROKEN);
    return drawing->pixels != NULL;
}

int draw(const void *bytes, size_t length, const struct options *options, struct drawing *drawing) {
    enum finding finding = check(bytes, length);
    // Without a base URL librsvg resolves no relative URL, and loads only data URLs.
    RsvgHandle *svg = finding == DRAWABLE ? rsvg_handle_new_from_data(bytes, length, NULL) : NULL;
    if (svg == NULL) {
        refuse_finding(finding == DRAWABLE ? BROKEN : finding);
        return 0;
    }
    int is_drawn = draw_handle(svg, options, drawing);
    g_object_unref(svg);
    return is_drawn;
}
