// Exposes the one OpenSSL function that libsodium lacks: HMAC-SHA-1, for the codes of authenticator apps.
#ifndef VITRINE_CCRYPTO_SHIM_H
#define VITRINE_CCRYPTO_SHIM_H

#include <openssl/evp.h>
#include <openssl/hmac.h>

// Writes 20 bytes to `code`; returns 0 on failure.
static inline int vitrine_hmac_sha1(
    const unsigned char *key, int key_length, const unsigned char *message, size_t length, unsigned char *code) {
    unsigned int written = 20;
    return HMAC(EVP_sha1(), key, key_length, message, length, code, &written) != NULL && written == 20;
}

#endif
