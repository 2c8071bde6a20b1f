// What makes two requests one form: the account, the number of the page, the path and the input.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Store

/// The number that each form of a page has, another one whenever the page is shown. After going back, other input in the same
/// page is another form; the same input in a page of its own is one, too.
extension FormPost {
    static let field = "once"

    /// Nil without a number: such a form is carried out each time.
    init?(_ request: AdminRequest) {
        guard let number = request.form.first(Self.field).flatMap({ UUID(uuidString: $0) }),
            let account = request.session?.account
        else { return nil }
        let fields = request.form.fields.filter { $0.name != "csrf" && !$0.name.hasPrefix("autosave") }
        let uploads = request.form.uploads.flatMap { [$0.name, $0.filename, SHA256.hex($0.bytes)] }
        let texts =
            [account.description, request.request.rawTarget, number.uuidString] + uploads
            + fields.flatMap { [$0.name, $0.value] }
        self.init(
            key: SHA256.hash(JSONValue.array(texts.map(JSONValue.string)).canonicalText),
            requestID: UUIDv7.make().uuidString)
    }
}
