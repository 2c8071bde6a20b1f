// An entry that a rule blocks, in the checks of a plan, with a link to it.
import Store

struct BlockedLine: Encodable, Sendable {
    let message: String
    /// The page on which it can be fixed; nil when the rule names no entry.
    let url: String?

    init(_ blocked: BlockedEntry) {
        message = blocked.message
        url = blocked.entry.map { "/entries/\($0)" }
    }
}
