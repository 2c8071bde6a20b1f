// Typed wrappers of the variadic functions of libcurl.
#ifndef VITRINE_CCURL_H
#define VITRINE_CCURL_H

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>

typedef size_t (*vitrine_curl_body)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*vitrine_curl_socket)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode vitrine_curl_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode vitrine_curl_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode vitrine_curl_url(CURL *easy, CURLU *url) { return curl_easy_setopt(easy, CURLOPT_CURLU, url); }

static inline CURLcode vitrine_curl_headers(CURL *easy, struct curl_slist *headers) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

/// Sets the method and the body, which is copied; HEAD has no request or response body.
static inline CURLcode vitrine_curl_method(CURL *easy, const char *method, const void *bytes, long length) {
    if (strcmp(method, "HEAD") == 0) return curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    if (length > 0 || strcmp(method, "GET") != 0) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, length);
        curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
    }
    return curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method);
}

/// The Content-Length; -1 if missing.
static inline long long vitrine_curl_length(CURL *easy) {
    curl_off_t length = -1;
    curl_easy_getinfo(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length;
}

/// `body` receives the response body; `open` creates the socket for each address before it is connected.
static inline CURLcode vitrine_curl_callbacks(CURL *easy, vitrine_curl_body body, vitrine_curl_socket open, void *context) {
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

/// Sends a message from one email address to others; `read` returns its bytes, `reply` receives each line of the
/// server.
static inline CURLcode vitrine_curl_mail(
    CURL *easy, const char *from, struct curl_slist *to, vitrine_curl_body read, vitrine_curl_body reply, void *context) {
    curl_easy_setopt(easy, CURLOPT_MAIL_FROM, from);
    curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, to);
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, read);
    curl_easy_setopt(easy, CURLOPT_READDATA, context);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, reply);
    return curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

/// Longer than its declared type for an IPv6 address.
static inline const struct sockaddr *vitrine_curl_address(const struct curl_sockaddr *address) { return &address->addr; }

static inline long vitrine_curl_status(CURL *easy) {
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/// The absolute URL of a redirect, which is not followed; NULL if there is none.
static inline const char *vitrine_curl_redirect(CURL *easy) {
    const char *url = NULL;
    curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &url);
    return url;
}

/// The seconds of the Retry-After header, given as a number or a date; 0 if missing.
static inline long long vitrine_curl_retry_after(CURL *easy) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds);
    return seconds;
}

#endif
