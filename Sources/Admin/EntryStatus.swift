// Where an entry stands, in a few words: what readers see, what is approved, what is only a draft.
import Domain
import Store

struct EntryStatus: Encodable, Sendable {
    struct Part: Encodable, Sendable {
        let words: String
        /// The color of the tag: `ok`, `wait` or empty.
        let tone: String
    }

    let parts: [Part]

    init(_ entry: EntryRow) {
        var parts: [Part] = []
        if let live = entry.live { parts.append(Part(words: "live v\(live)", tone: "ok")) }
        if let approved = entry.approved, approved != entry.live, approved > entry.live ?? 0 {
            let words = entry.live == nil ? "approved v\(approved), not live" : "approved v\(approved)"
            parts.append(Part(words: words, tone: "wait"))
        }
        if let release = entry.heldBy {
            let time = entry.publishesAt.map { ", \(Instant($0).text)" } ?? ""
            parts.append(Part(words: "in release \(release)\(time)", tone: "wait"))
        }
        if entry.newest > entry.approved ?? 0 { parts.append(Part(words: "draft v\(entry.newest)", tone: "")) }
        self.parts = parts
    }
}
