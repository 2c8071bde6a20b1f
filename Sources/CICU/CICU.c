// Wrappers of the ICU functions for confusable characters, names of hosts, time zones and names of languages.
#include "CICU.h"

#include <unicode/ucal.h>
#include <unicode/uidna.h>
#include <unicode/uldnames.h>
#include <unicode/uloc.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

const VitrineSpoofChecker *vitrine_spoof_checker(int strict) {
    UErrorCode status = U_ZERO_ERROR;
    USpoofChecker *checker = uspoof_open(&status);
    uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL | (strict ? USPOOF_CHAR_LIMIT : 0), &status);
    uspoof_setRestrictionLevel(checker, USPOOF_HIGHLY_RESTRICTIVE);
    if (strict) uspoof_setAllowedChars(checker, uspoof_getRecommendedSet(&status), &status);
    return U_SUCCESS(status) ? (const VitrineSpoofChecker *)checker : NULL;
}

int vitrine_is_mixed(const VitrineSpoofChecker *checker, const char *text, int32_t length) {
    UErrorCode status = U_ZERO_ERROR;
    return uspoof_checkUTF8((const USpoofChecker *)checker, text, length, NULL, &status) != 0 || U_FAILURE(status);
}

int32_t vitrine_skeleton(
    const VitrineSpoofChecker *checker, const char *text, int32_t length, char *skeleton, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t written = uspoof_getSkeletonUTF8((const USpoofChecker *)checker, 0, text, length, skeleton, capacity, &status);
    return U_SUCCESS(status) ? written : -1;
}

int vitrine_is_latin(uint32_t character) {
    UErrorCode status = U_ZERO_ERROR;
    return uscript_getScript((UChar32)character, &status) == USCRIPT_LATIN;
}

const VitrineIDNA *vitrine_idna(void) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNA *idna = uidna_openUTS46(
        UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE, &status);
    return U_SUCCESS(status) ? (const VitrineIDNA *)idna : NULL;
}

int32_t vitrine_host_ascii(const VitrineIDNA *idna, const char *host, int32_t length, char *ascii, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t written = uidna_nameToASCII_UTF8((const UIDNA *)idna, host, length, ascii, capacity, &info, &status);
    // Browsers take hyphens in the third and fourth position, which many hosts have.
    return U_SUCCESS(status) && (info.errors & ~(uint32_t)UIDNA_ERROR_HYPHEN_3_4) == 0 ? written : -1;
}

int32_t vitrine_host_unicode(const VitrineIDNA *idna, const char *host, int32_t length, char *text, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t written = uidna_nameToUnicodeUTF8((const UIDNA *)idna, host, length, text, capacity, &info, &status);
    return U_SUCCESS(status) && info.errors == 0 ? written : -1;
}

int32_t vitrine_zone_offsets(const char *zone, double *starts, int32_t *offsets, int32_t capacity) {
    const UDate end = 4102444800000.0;
    UErrorCode status = U_ZERO_ERROR;
    UChar name[128], canonical[128];
    int32_t length = 0;
    u_strFromUTF8(name, 128, &length, zone, -1, &status);
    // An unknown zone would be opened as UTC.
    ucal_getCanonicalTimeZoneID(name, length, canonical, 128, NULL, &status);
    if (U_FAILURE(status)) return -1;
    UCalendar *calendar = ucal_open(name, length, "en", UCAL_GREGORIAN, &status);
    UDate start = 0;
    int32_t count = 0;
    while (U_SUCCESS(status) && count < capacity && start < end) {
        ucal_setMillis(calendar, start, &status);
        int32_t offset = ucal_get(calendar, UCAL_ZONE_OFFSET, &status) + ucal_get(calendar, UCAL_DST_OFFSET, &status);
        starts[count] = start / 1000;
        offsets[count] = offset / 1000;
        count++;
        if (!ucal_getTimeZoneTransitionDate(calendar, UCAL_TZ_TRANSITION_NEXT, &start, &status)) break;
    }
    ucal_close(calendar);
    return U_SUCCESS(status) ? count : -1;
}

int32_t vitrine_language_name(const char *tag, const char *language, char *name, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    char locale[ULOC_FULLNAME_CAPACITY];
    int32_t parsed = 0, written = 0;
    uloc_forLanguageTag(tag, locale, ULOC_FULLNAME_CAPACITY, &parsed, &status);
    UDisplayContext context = UDISPCTX_CAPITALIZATION_FOR_UI_LIST_OR_MENU;
    ULocaleDisplayNames *names = uldn_openForContext(language, &context, 1, &status);
    UChar text[256];
    int32_t length = uldn_localeDisplayName(names, locale, text, 256, &status);
    uldn_close(names);
    u_strToUTF8(name, capacity, &written, text, length, &status);
    return U_SUCCESS(status) ? written : -1;
}
