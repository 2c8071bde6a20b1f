// Includes the parts of libxml2 that are used, and iconv.
#ifndef VITRINE_CXML2_H
#define VITRINE_CXML2_H

#include <libxml/xmlversion.h>
// With it libxml2 includes ICU's headers, whose UErrorCode differs from the one Foundation brings along.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlwriter.h>

#include <errno.h>
#include <iconv.h>

// errno is a macro that Swift does not import; read it right after the call that failed.
static inline int xml2_errno(void) { return errno; }

#endif
