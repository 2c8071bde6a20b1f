// Parses an HTML fragment with gumbo inside a budget of memory and nodes, and frees the tree without recursion.
#ifndef VITRINE_CGUMBO_H
#define VITRINE_CGUMBO_H

#include <gumbo.h>
#include <stddef.h>

typedef struct CGumboTree CGumboTree;

/// Parses `length` bytes of UTF-8 as the content of a div. Returns NULL if the tree would take more than
/// `budget` bytes or have more than `nodes` nodes (a few kilobytes of misnested formatting tags can require
/// gigabytes), and for the rare text that fails an assertion of gumbo. `html` must outlive the tree.
CGumboTree *cgumbo_parse(const char *html, size_t length, size_t budget, size_t nodes);

/// The element whose children are the fragment.
const GumboNode *cgumbo_root(const CGumboTree *tree);

void cgumbo_free(CGumboTree *tree);

#endif
