// Prevents gumbo from crashing the process: budgets of memory and nodes, and recovery from failed assertions.
#include "CGumbo.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

enum { chunk_size = 64 * 1024, alignment = alignof(max_align_t) };

typedef struct Chunk {
    struct Chunk *next;
    size_t size;
    size_t used;
    alignas(max_align_t) char bytes[];
} Chunk;

struct CGumboTree {
    Chunk *chunks;
    size_t left;
    size_t nodes_left;
    const GumboNode *root;
    jmp_buf way_out;
};

// The tree that this thread is parsing. gumbo only uses memory of the arena of the tree, so jumping out of it does not
// leak.
static _Thread_local CGumboTree *parsing;

// gumbo 0.10.1 is built with assertions, and some texts fail them (`<table><svg><desc><![CDATA[x]]>y`). This definition
// in the program overrides that of the C library for every library of the process.
_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
    if (parsing != NULL) longjmp(parsing->way_out, 1);
    fprintf(stderr, "%s:%u: %s: assertion `%s' failed\n", file, line, function, assertion);
    abort();
}

// gumbo does not check the result of its allocator, so a jump is the only way out.
static void *allocate(void *context, size_t size) {
    CGumboTree *tree = context;
    // Nothing else of gumbo's has the size of a node; text of that length only counts as one too many.
    if (size == sizeof(GumboNode) && tree->nodes_left-- == 0) longjmp(tree->way_out, 1);
    size_t rounded = (size + alignment - 1) / alignment * alignment;
    Chunk *chunk = tree->chunks;
    if (chunk == NULL || chunk->size - chunk->used < rounded) {
        size_t wanted = rounded > chunk_size ? rounded : chunk_size;
        if (rounded < size || wanted > tree->left) longjmp(tree->way_out, 1);
        // gumbo 0.10.1 reads some of its memory before it writes it; the same text must always give the same tree.
        chunk = calloc(1, sizeof(Chunk) + wanted);
        if (chunk == NULL) longjmp(tree->way_out, 1);
        *chunk = (Chunk){.next = tree->chunks, .size = wanted, .used = 0};
        tree->chunks = chunk;
        tree->left -= wanted;
    }
    void *memory = chunk->bytes + chunk->used;
    chunk->used += rounded;
    return memory;
}

static void keep(void *context, void *memory) {
    (void)context;
    (void)memory;
}

CGumboTree *cgumbo_parse(const char *html, size_t length, size_t budget, size_t nodes) {
    CGumboTree *tree = calloc(1, sizeof *tree);
    if (tree == NULL) return NULL;
    tree->left = budget;
    tree->nodes_left = nodes;
    parsing = tree;
    if (setjmp(tree->way_out) != 0) {
        parsing = NULL;
        cgumbo_free(tree);
        return NULL;
    }
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = allocate;
    options.deallocator = keep;
    options.userdata = tree;
    options.max_errors = 0;
    options.fragment_context = GUMBO_TAG_DIV;
    tree->root = gumbo_parse_with_options(&options, html, length)->root;
    parsing = NULL;
    return tree;
}

const GumboNode *cgumbo_root(const CGumboTree *tree) {
    return tree->root;
}

void cgumbo_free(CGumboTree *tree) {
    if (tree == NULL) return;
    for (Chunk *chunk = tree->chunks; chunk != NULL;) {
        Chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(tree);
}
