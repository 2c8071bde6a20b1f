// One line of an entry's history: who did what, when, and what changed.
import Domain
import Localization
import Store

struct EntryHistoryLine: Encodable, Sendable {
    struct Link: Encodable, Sendable {
        let label: String
        let url: String
        /// Says what the link is about, for its name outside of the line.
        let about: String
    }

    let when: Instant
    /// Nil if the action is a sentence that names the person.
    let actor: String?
    let action: String
    /// The changed fields, or the version that was published.
    let summary: String?
    let text: String?
    let mentioned: String?
    let isNote: Bool
    let isApproved: Bool
    let isLive: Bool
    /// What the line is about: decides its mark.
    let kind: String
    let links: [Link]

    init(_ row: HistoryRow, _ entry: EntryRow, _ type: ContentType, mayRestore: Bool) {
        when = Instant(row.happenedAt)
        actor = row.kind == .event ? nil : ActorName.shown(row.actor)
        kind = row.kind.rawValue
        let summary = Self.summary(row, type)
        self.summary = summary
        // The program's own note says what the summary says.
        let isRepeated = row.kind == .revision && [summary?.lowercased(), "created"].contains(row.text.lowercased())
        text = row.text.isEmpty || isRepeated ? nil : row.text
        mentioned = row.mentioned.isEmpty ? nil : row.mentioned.joined(separator: ", ")
        isNote = row.kind == .note
        (isApproved, isLive) = (row.isApproved, row.isLive)
        action = Self.action(row, entry)
        links = Self.links(row, entry, mayRestore: mayRestore)
    }

    private static func action(_ row: HistoryRow, _ entry: EntryRow) -> String {
        let number = row.number ?? 0
        switch row.kind {
        case .revision: return number == 1 ? tr("created version 1") : tr("saved version \(number)")
        case .approval: return tr("approved version \(number)")
        case .publication:
            return row.revision.map { tr("published version \($0)") } ?? tr("unpublished this", context: "history")
        case .release:
            switch row.state {
            case "scheduled": return tr("scheduled this in release \(number)")
            case "canceled": return tr("canceled release \(number)")
            case "failed": return tr("could not publish release \(number)")
            default: return tr("added this to release \(number)")
            }
        case .decision: return DecisionLine.action(row.state)
        case .note: return row.state == "entry" ? tr("added a note") : tr("added a note to the submission")
        case .event: return AuditSentence.text(row, title: EntryTitles.shown(entry.title))
        }
    }

    private static func summary(_ row: HistoryRow, _ type: ContentType) -> String? {
        switch row.kind {
        case .revision:
            // In the order of the form; fields that the type no longer has keep their names.
            let known = type.fields.filter { row.fields.contains($0.name) }.map(\.label)
            let others = row.fields.filter { type.field($0) == nil }.sorted()
            let names = (known + others).joined(separator: ", ")
            return names.isEmpty ? nil : tr("Changed: \(names)", context: "history")
        case .release: return row.revision.map { tr("Version \($0)", context: "history") }
        default: return nil
        }
    }

    private static func links(_ row: HistoryRow, _ entry: EntryRow, mayRestore: Bool) -> [Link] {
        guard let number = row.number else {
            let submission = row.kind == .decision || row.kind == .note && row.state == "submission"
            return submission
                ? entry.submission.map {
                    [Link(label: tr("View submission"), url: AdminURL.submission($0), about: "")]
                } ?? [] : []
        }
        let about = tr("version \(number)", context: "history")
        switch row.kind {
        case .revision:
            var links: [Link] = []
            if number > 1 {
                links.append(
                    Link(
                        label: tr("View changes"), url: AdminURL.entryComparison(entry.id, number - 1, number),
                        about: about))
            }
            if number < entry.newest {
                links.append(
                    Link(
                        label: tr("Compare with newest"), url: AdminURL.entryComparison(entry.id, number, entry.newest),
                        about: about))
                if mayRestore {
                    links.append(
                        Link(
                            label: tr("Restore…", context: "history"),
                            url: AdminURL.entryRestore(entry.id, query: ["number": String(number)]), about: about))
                }
            }
            return links
        case .publication:
            return [
                Link(
                    label: tr("Publication \(number)", context: "history"), url: AdminURL.publication(number), about: ""
                )
            ]
        case .release:
            return [Link(label: tr("Release \(number)", context: "history"), url: AdminURL.release(number), about: "")]
        default: return []
        }
    }
}
