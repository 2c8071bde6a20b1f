// The headers that protect every response of the admin.
import HTTP

extension Response {
    /// Adds the headers of every admin response (S20, S21, S24, S26).
    func secured(isPage: Bool = true) -> Response {
        var response = self
        response.headers.set("X-Content-Type-Options", "nosniff")
        response.headers.set("Referrer-Policy", "same-origin")
        response.headers.set("Cross-Origin-Opener-Policy", "same-origin")
        response.headers.set("Content-Security-Policy", Self.contentSecurityPolicy)
        if isPage { response.headers.set("Cache-Control", "private, no-store") }
        return response
    }

    private static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; "
        + "font-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'; object-src 'none'; "
        + "require-trusted-types-for 'script'"
}
