// Imports the encoder of brotli; the decoder is for tests, which link it.
#ifndef VITRINE_CBROTLI_SHIM_H
#define VITRINE_CBROTLI_SHIM_H

#include <brotli/decode.h>
#include <brotli/encode.h>

#endif
