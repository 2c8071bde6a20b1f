// An entry that a rule blocks, in the checks of a plan, with a link to it.
import Domain
import Store

struct BlockedLine: Encodable, Sendable {
    let message: String
    /// The page on which it can be fixed; nil when the rule names no entry.
    let entry: ID<Entry>?

    init(_ blocked: BlockedEntry) {
        message = blocked.message
        entry = blocked.entry
    }
}
