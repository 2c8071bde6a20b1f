// Lets Swift import the core of cmark-gfm: CommonMark to HTML.
#ifndef VITRINE_CCMARK_SHIM_H
#define VITRINE_CCMARK_SHIM_H

#include <cmark-gfm.h>

#endif
