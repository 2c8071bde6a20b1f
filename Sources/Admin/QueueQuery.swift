// Which part of the queue a curator looks at, as the address carries it from page to page.
import Domain
import HTTP
import Store

struct QueueQuery: Sendable {
    let type: String?
    let client: ID<APIClient>?
    let category: String?
    let words: String?
    let isMine: Bool
    /// Where the page of the list begins.
    let after: String?

    /// Fields that are empty, or cannot be meant, do not filter.
    init(_ query: FormFields) {
        func text(_ name: String) -> String? {
            let text = PlainText.singleLine(query.first(name) ?? "")
            return text.isEmpty ? nil : String(text.prefix(200))
        }
        type = text("type")
        client = text("client").flatMap { ID($0) }
        category = text("category")
        words = text("q")
        isMine = query.first("mine") == "1"
        after = query.first("after").flatMap { $0.isEmpty ? nil : $0 }
    }

    var isFiltered: Bool {
        type != nil || client != nil || category != nil || words != nil || isMine
    }

    func filter(for account: ID<Account>?) -> QueueFilter {
        var filter = QueueFilter()
        filter.type = type
        filter.client = client
        filter.category = category
        filter.words = words
        if isMine { filter.claimedBy = account }
        return filter
    }

    /// `path` with the filter, and with the place where the list goes on.
    func address(_ path: String, after: String? = nil) -> String {
        var fields = FormFields()
        for (name, value) in [
            ("type", type), ("client", client?.description), ("category", category), ("q", words),
            ("mine", isMine ? "1" : nil), ("after", after),
        ] {
            if let value { fields.append(name, value) }
        }
        return fields.isEmpty ? path : "\(path)?\(fields.urlEncoded)"
    }
}
