// Decides which images of contents a page loads: those of the media library; those of other servers only when asked for.
import Domain
import HTTP
import Markup

/// An image on a server of the contributor's choice tells it who reviews and when, and makes the reviewer's browser send
/// requests into the network that it is in.
struct ContentImages: Sendable {
    /// The query parameter that shows the images of other servers.
    private static let parameter = (name: "images", value: "show")

    /// The base URL of files of the media library; ends in a slash.
    private let library: String
    private let publicURL: String
    /// The servers of map tiles.
    private let tiles: String
    private let showsForeign: Bool
    /// The URL of this page with the images of other servers; nil if it shows them, or is the response to a form.
    let showURL: String?

    init(_ request: Request, _ context: AdminContext) {
        library = context.library.baseURL
        publicURL = context.publicURL
        tiles = context.maps.map { " " + $0.origin } ?? ""
        let isOwnLink = request.headers["Sec-Fetch-Site"].map { ["same-origin", "none"].contains($0) } ?? true
        showsForeign = isOwnLink && request.query.first(Self.parameter.name) == Self.parameter.value
        let query = request.query.fields.filter { $0.name != Self.parameter.name }
        let shown = FormFields(query + [FormFields.Field(name: Self.parameter.name, value: Self.parameter.value)])
        showURL = showsForeign || request.method != "GET" ? nil : "?" + shown.urlEncoded
    }

    func isShown(_ url: String) -> Bool {
        showsForeign
            || [library, AdminURL.mediaFiles].contains { url.hasPrefix($0) && Self.isBelow(url.dropFirst($0.count)) }
    }

    /// Whether a path stays below its folder, however a browser reads it.
    private static func isBelow(_ path: Substring) -> Bool {
        !path.contains("..") && path.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-./".utf8.contains($0) }
    }

    /// The server that the image would be loaded from, as `DisplayHost` shows it.
    static func host(of url: String) -> String {
        guard let slashes = url.firstRange(of: "://") else { return url }
        let authority = url[slashes.upperBound...].prefix { !"/?#\\".contains($0) }
        return DisplayHost(String(authority.split(separator: "@").last ?? authority)).text
    }

    /// The value of `img-src` in the page's Content-Security-Policy.
    var policy: String {
        if showsForeign { return "'self' https:" }
        return (library.hasPrefix(publicURL + "/") ? "'self'" : "'self' \(Self.origin(of: library))") + tiles
    }

    private static func origin(of url: String) -> String {
        guard let slashes = url.firstRange(of: "://") else { return "" }
        return String(url[..<slashes.upperBound] + url[slashes.upperBound...].prefix { $0 != "/" })
    }
}
