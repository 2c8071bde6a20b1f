// What makes two requests one form: the account, the form token, the path and the input.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Store

extension FormPost {
    /// The field of the form token: random, another one whenever a page is shown, and the same in all forms of that
    /// page. After going back, other input in the same page is another form; so is the same input in a page of its own.
    static let field = "once"

    /// Nil without a form token: such a form is carried out each time.
    init?(_ request: AdminRequest) {
        guard let token = request.form.first(Self.field).flatMap({ UUID(uuidString: $0) }),
            let account = request.session?.account
        else { return nil }
        let fields = request.form.fields.filter { $0.name != "csrf" && !$0.name.hasPrefix("autosave") }
        let uploads = request.form.uploads.flatMap { [$0.name, $0.filename, SHA256.hex($0.bytes)] }
        let texts =
            [account.description, request.request.rawTarget, token.uuidString] + uploads
            + fields.flatMap { [$0.name, $0.value] }
        self.init(
            key: SHA256.hash(JSONValue.array(texts.map(JSONValue.string)).canonicalText),
            requestID: UUIDv7.make().uuidString)
    }
}
