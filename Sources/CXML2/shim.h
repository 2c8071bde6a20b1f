// Includes the required parts of libxml2, and iconv.
#ifndef VITRINE_CXML2_H
#define VITRINE_CXML2_H

#include <libxml/xmlversion.h>
// Otherwise libxml2 includes ICU headers, whose UErrorCode conflicts with the one of Foundation.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlwriter.h>

#include <errno.h>
#include <iconv.h>

// errno is a macro that Swift does not import; read it directly after the failed call.
static inline int xml2_errno(void) { return errno; }

#endif
