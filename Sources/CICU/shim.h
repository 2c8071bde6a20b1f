// Lets Swift call the few functions of ICU that tell look-alike letters: ICU names its functions by macros with its version in them.
#ifndef VITRINE_CICU_SHIM_H
#define VITRINE_CICU_SHIM_H

#include <unicode/uidna.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>

// Once it is made, it is only read: any number of threads may use it. NULL when ICU has no data.
// Strict takes only what UTS 39 recommends for identifiers.
static inline const USpoofChecker *vitrine_spoof_checker(int strict) {
    UErrorCode status = U_ZERO_ERROR;
    USpoofChecker *checker = uspoof_open(&status);
    uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL | (strict ? USPOOF_CHAR_LIMIT : 0), &status);
    uspoof_setRestrictionLevel(checker, USPOOF_HIGHLY_RESTRICTIVE);
    if (strict) uspoof_setAllowedChars(checker, uspoof_getRecommendedSet(&status), &status);
    return U_SUCCESS(status) ? checker : NULL;
}

// Whether its letters are of scripts that nobody writes together ("highly restrictive" of UTS 39).
static inline int vitrine_is_mixed(const USpoofChecker *checker, const char *text, int32_t length) {
    UErrorCode status = U_ZERO_ERROR;
    return uspoof_checkUTF8(checker, text, length, NULL, &status) != 0 || U_FAILURE(status);
}

// Writes what the text looks like; its length, or -1.
static inline int32_t vitrine_skeleton(
    const USpoofChecker *checker, const char *text, int32_t length, char *skeleton, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t written = uspoof_getSkeletonUTF8(checker, 0, text, length, skeleton, capacity, &status);
    return U_SUCCESS(status) ? written : -1;
}

static inline int vitrine_is_latin(uint32_t character) {
    UErrorCode status = U_ZERO_ERROR;
    return uscript_getScript((UChar32)character, &status) == USCRIPT_LATIN;
}

// Only read once it is made. NULL when ICU has no data.
static inline const UIDNA *vitrine_idna(void) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNA *idna = uidna_openUTS46(
        UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE, &status);
    return U_SUCCESS(status) ? idna : NULL;
}

// Writes the host as it is asked for in DNS; its length, or -1 when it is no host.
static inline int32_t vitrine_host_ascii(const UIDNA *idna, const char *host, int32_t length, char *ascii, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t written = uidna_nameToASCII_UTF8(idna, host, length, ascii, capacity, &info, &status);
    return U_SUCCESS(status) && info.errors == 0 ? written : -1;
}

// Writes the host as people read it; its length, or -1.
static inline int32_t vitrine_host_unicode(const UIDNA *idna, const char *host, int32_t length, char *text, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t written = uidna_nameToUnicodeUTF8(idna, host, length, text, capacity, &info, &status);
    return U_SUCCESS(status) && info.errors == 0 ? written : -1;
}

#endif
