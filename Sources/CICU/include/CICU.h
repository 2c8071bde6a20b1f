// What tells look-alike letters, by ICU. ICU's own headers stay behind this one: Foundation has others of the same names.
#ifndef VITRINE_CICU_H
#define VITRINE_CICU_H

#include <stdint.h>

typedef struct VitrineSpoofChecker VitrineSpoofChecker;
typedef struct VitrineIDNA VitrineIDNA;

// Once it is made, it is only read: any number of threads may use it. NULL when ICU has no data.
// Strict takes only what UTS 39 recommends for identifiers.
const VitrineSpoofChecker *vitrine_spoof_checker(int strict);

// Whether its letters are of scripts that nobody writes together ("highly restrictive" of UTS 39).
int vitrine_is_mixed(const VitrineSpoofChecker *checker, const char *text, int32_t length);

// Writes what the text looks like; its length, or -1.
int32_t vitrine_skeleton(const VitrineSpoofChecker *checker, const char *text, int32_t length, char *skeleton, int32_t capacity);

int vitrine_is_latin(uint32_t character);

// Only read once it is made. NULL when ICU has no data.
const VitrineIDNA *vitrine_idna(void);

// Writes the host as it is asked for in DNS; its length, or -1 when it is no host.
int32_t vitrine_host_ascii(const VitrineIDNA *idna, const char *host, int32_t length, char *ascii, int32_t capacity);

// Writes the host as people read it; its length, or -1.
int32_t vitrine_host_unicode(const VitrineIDNA *idna, const char *host, int32_t length, char *text, int32_t capacity);

#endif
