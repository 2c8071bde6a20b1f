// The headers that protect every response of the admin.
import HTTP

extension Response {
    /// Adds the headers of every admin response (S20, S21, S24, S26). `images`: what its contents may load. `origins`: whose
    /// pages may show it in a frame; none but those of submission forms.
    func secured(isPage: Bool = true, images: ContentImages? = nil, framedBy origins: [String] = []) -> Response {
        var response = self
        response.headers.set("X-Content-Type-Options", "nosniff")
        response.headers.set("Referrer-Policy", "same-origin")
        response.headers.set("Cross-Origin-Opener-Policy", "same-origin")
        // Pages of other sites can't load it as an image or script.
        response.headers.set("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.set("Content-Security-Policy", Self.policy(images?.policy ?? "'self'", origins))
        if isPage { response.headers.set("Cache-Control", "private, no-store") }
        return response
    }

    private static func policy(_ images: String, _ origins: [String]) -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images); connect-src 'self'; "
            + "font-src 'self'; frame-ancestors \(origins.isEmpty ? "'none'" : origins.joined(separator: " ")); form-action 'self'; base-uri 'none'; object-src 'none'; "
            + "require-trusted-types-for 'script'"
    }
}
