// The confirmation of the last action, carried to the next page in a cookie and shown once.
import FoundationEssentials
import HTTP
import Platform

package struct Flash: Codable, Sendable {
    private(set) var text: String
    /// The URL whose POST undoes the action, and the version that the object must still have.
    var undo: String?
    var version: Int?
    /// A link to show after the text.
    var link: String?
    var linkLabel: String?
    /// Whether the session has ended: the page takes what was typed from the tab.
    var isSignedOut: Bool?

    static let cookieName = "__Host-vitrine_flash"

    package init(
        _ text: String, undo: String? = nil, version: Int? = nil, link: String? = nil, linkLabel: String? = nil
    ) {
        self.text = text
        self.undo = undo
        self.version = version
        self.link = link
        self.linkLabel = linkLabel
    }

    /// Reads the cookie; URLs of other sites are dropped.
    init?(cookie: String?) {
        guard let cookie, cookie.utf8.count <= 3000, let bytes = Base64.decode(cookie, .url),
            var flash = try? JSONDecoder().decode(Flash.self, from: Data(bytes))
        else { return nil }
        if let undo = flash.undo, !Response.isLocal(undo) { flash.undo = nil }
        if let link = flash.link, !Response.isLocal(link) { flash.link = nil }
        self = flash
    }

    /// The same with further sentences.
    func adding(_ sentences: [String]) -> Flash {
        var flash = self
        flash.text = ([text] + sentences).filter { !$0.isEmpty }.joined(separator: " ")
        return flash
    }

    var cookie: Cookie? {
        guard let data = try? JSONEncoder().encode(self) else { return nil }
        return Cookie(name: Flash.cookieName, value: Base64.encode([UInt8](data), .url), maxAge: 60)
    }

    /// Removes the cookie.
    static var cleared: Cookie? { Cookie(name: cookieName, value: "", maxAge: 0) }
}
