// An entry that a rule blocks, in the checks of a plan, with a link to it.
import Domain
import Store

struct BlockedLine: Encodable, Sendable {
    let message: String
    /// The page on which it can be fixed; nil when the rule names no entry.
    let url: String?

    init(_ blocked: BlockedEntry, _ types: ContentTypes) {
        message = blocked.cause
        url = blocked.entry.map { EntryURL.of($0, types[blocked.type]?.kind) }
    }
}
