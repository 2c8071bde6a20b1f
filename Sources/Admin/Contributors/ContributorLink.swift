// A contributor as other pages name it.
import Domain
import Markup
import Store

struct ContributorLink: Encodable, Sendable {
    let id: String
    let name: String
    let url: String
    /// "Trusted" or "Blocked"; nil for neither.
    let status: String?
    let tone: String

    init(_ row: ReputationRow) {
        id = row.id.description
        name = SpoofCheck(name: row.name).shown
        url = AdminURL.contributor(row.id)
        status = row.status?.label
        tone = row.status == .blocked ? "bad" : "ok"
    }
}
