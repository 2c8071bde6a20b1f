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

    /// A shorter form is hashed in less time than the way to another thread and back takes, in bytes.
    private static let quickBytes = 16 << 10

    /// Nil without a form token: such a form is carried out each time. Throws `WorkersBusy` if too many long forms wait.
    init?(_ request: AdminRequest) async throws {
        guard let token = request.form.first(Self.field).flatMap({ UUID(uuidString: $0) }),
            let account = request.session?.account
        else { return nil }
        let page = [account.description, request.request.rawTarget, token.uuidString]
        let fields = request.form.fields.filter { $0.name != "csrf" && !$0.name.hasPrefix("autosave") }
        let form = FormFields(fields, uploads: request.form.uploads)
        let key =
            Self.size(form) < Self.quickBytes
            ? Self.key(page, form) : try await Quotas.checksums.run { Self.key(page, form) }
        self.init(key: key, requestID: UUIDv7.make().uuidString)
    }

    private static func size(_ form: FormFields) -> Int {
        form.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            + form.uploads.reduce(0) { $0 + $1.bytes.count }
    }

    private static func key(_ page: [String], _ form: FormFields) -> [UInt8] {
        let uploads = form.uploads.flatMap { [$0.name, $0.filename, SHA256.hex($0.bytes)] }
        let texts = page + uploads + form.fields.flatMap { [$0.name, $0.value] }
        return SHA256.hash(JSONValue.array(texts.map(JSONValue.string)).canonicalText)
    }
}
