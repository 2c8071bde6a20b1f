// What people type into forms of public pages, which no account could own: their browser keeps it in the tab.
import Domain
import HTTP

/// The model of `partial/tab-draft.html`, which belongs inside the form. Nothing of it is stored on the server.
struct TabDraft: Encodable, Sendable {
    /// The name of the field with which the script asks for the page with what the tab has kept: nothing is carried out.
    static let field = "restore"

    /// What tells the forms of a tab apart. It contains no token.
    let key: String
    /// The URL that opens the form empty.
    let url: String
    /// Whether the page shows what was just sent, which is newer than what the tab has.
    let isTyped: Bool
    let isRestored: Bool

    init(_ key: String, at url: String, _ request: AdminRequest) {
        self.key = key
        self.url = url
        isTyped = request.request.method == "POST"
        isRestored = request.restoresDraft
    }
}

extension AdminRequest {
    /// Whether the script asks for the page with what the tab has kept.
    var restoresDraft: Bool { request.method == "POST" && form.contains(TabDraft.field) }
}
