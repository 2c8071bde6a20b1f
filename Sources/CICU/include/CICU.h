// Confusable characters, messages, time zones and languages, by ICU. Hides the headers of ICU, which conflict with those of Foundation.
#ifndef VITRINE_CICU_H
#define VITRINE_CICU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VitrineSpoofChecker VitrineSpoofChecker;
typedef struct VitrineIDNA VitrineIDNA;

// Immutable after creation and thread-safe. NULL if ICU has no data.
// `strict` allows only characters that UTS 39 recommends for identifiers.
const VitrineSpoofChecker *vitrine_spoof_checker(int strict);

// Whether the text mixes scripts beyond the "highly restrictive" level of UTS 39.
int vitrine_is_mixed(const VitrineSpoofChecker *checker, const char *text, int32_t length);

// Writes the skeleton of the text; returns its length, or -1.
int32_t vitrine_skeleton(const VitrineSpoofChecker *checker, const char *text, int32_t length, char *skeleton, int32_t capacity);

int vitrine_is_latin(uint32_t character);

// Immutable after creation. NULL if ICU has no data.
const VitrineIDNA *vitrine_idna(void);

// Writes the host in Punycode; returns its length, or -1 if it is not a host.
int32_t vitrine_host_ascii(const VitrineIDNA *idna, const char *host, int32_t length, char *ascii, int32_t capacity);

// Writes the host in Unicode; returns its length, or -1.
int32_t vitrine_host_unicode(const VitrineIDNA *idna, const char *host, int32_t length, char *text, int32_t capacity);

// A text, or a number if the text is NULL.
typedef struct {
    const char *text;
    int64_t number;
} VitrineArgument;

// Writes the pattern (ICU MessageFormat) with its arguments {0}, {1}, ... Returns the length in bytes, which may exceed the
// capacity, in which case nothing is written; -1 if the pattern is invalid or does not fit the arguments.
int32_t vitrine_format_message(
    const char *language, const char *pattern, const VitrineArgument *arguments, int32_t count, char *text, int32_t capacity);

// Writes when each offset of a time zone from UTC begins (seconds since 1970, the first one 0, the others until 2100), and the
// offset in seconds. Returns how many; -1 if there is no such zone.
int32_t vitrine_zone_offsets(const char *zone, double *starts, int32_t *offsets, int32_t capacity);

// Writes the name of a language (a BCP 47 tag) as the menus of another one have it; returns its length, or -1.
int32_t vitrine_language_name(const char *tag, const char *language, char *name, int32_t capacity);

#ifdef __cplusplus
}
#endif

#endif
