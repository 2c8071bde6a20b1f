// The status of an entry as tags: its published, approved, scheduled and draft versions.
import Domain
import Localization
import Store

struct EntryStatus: Encodable, Sendable {
    struct Part: Encodable, Sendable {
        let label: String
        /// The color of the tag: `ok`, `wait` or empty.
        let tone: String
    }

    let parts: [Part]
    /// Whether readers see an older version than the newest one.
    let hasUnpublishedChanges: Bool

    init(_ entry: EntryRow) {
        var parts: [Part] = []
        if let live = entry.live { parts.append(Part(label: tr("Published v\(live)"), tone: "ok")) }
        if let approved = entry.approved, approved != entry.live, approved > entry.live ?? 0 {
            parts.append(Part(label: tr("Approved v\(approved)"), tone: "wait"))
        }
        if let release = entry.release {
            let time = entry.publishesAt.map { ", \(Instant($0).text)" } ?? ""
            parts.append(Part(label: tr("Release \(release)\(time)", context: "part"), tone: "wait"))
        }
        if entry.newest > entry.approved ?? 0 { parts.append(Part(label: tr("Draft v\(entry.newest)"), tone: "")) }
        self.parts = parts
        hasUnpublishedChanges = entry.live.map { $0 < entry.newest } ?? false
    }
}
