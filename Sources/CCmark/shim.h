// Imports the core of cmark-gfm, which converts CommonMark to HTML.
#ifndef VITRINE_CCMARK_SHIM_H
#define VITRINE_CCMARK_SHIM_H

#include <cmark-gfm.h>

#endif
