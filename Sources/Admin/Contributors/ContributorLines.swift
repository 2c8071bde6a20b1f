// The rows of the lists on a contributor's page: submissions, notes on them, and reports.
import Domain
import Localization
import Markup
import Platform
import Store

extension ContributorPage {
    struct Line: Encodable, Sendable {
        let id: ID<Submission>
        let url: String
        let title: String
        let detail: String
        /// The message to the contributor, or the text of the appeal; nil if there is neither.
        let message: String?
        let state: String
        let tone: String
        let received: Instant
        let isQueued: Bool
        var thumbnail: ThumbnailView?
    }

    struct Note: Encodable, Sendable {
        let title: String
        let url: String
        let author: String
        let when: Instant
        let text: String
    }

    struct Report: Encodable, Sendable {
        let title: String
        let url: String
        let reports: String
        /// Nil while it is open.
        let outcome: String?
        let when: Instant
    }
}

extension ContributorPage.Line {
    init(_ row: ContributorSubmissionRow, _ request: AdminRequest) {
        id = row.id
        url = AdminURL.submission(row.id)
        title = row.title.isEmpty ? tr("Untitled", context: "queue line") : SpoofCheck(name: row.title).shown
        received = Instant(row.receivedAt)
        isQueued = row.isQueued
        let type = request.context.rules.types[row.type]?.label ?? row.type
        let reason = row.reason.map { RejectReason(rawValue: $0)?.label ?? $0 }
        var took: String?
        if row.state != .pending, let decided = row.decidedAt, let person = row.decidedBy.map(ActorName.shown) {
            took = tr("Decided by \(person) after \(Age.text(since: row.receivedAt, now: decided))")
        }
        message = row.message.map(PlainText.singleLine)
        detail = [type, reason, took].compactMap(\.self).joined(separator: " · ")
        state =
            row.isHeld
            ? tr("Held", context: "contributor list")
            : row.isLive ? tr("Published", context: "contributor list") : row.state.label
        tone =
            row.isHeld || row.state == .rejected
            ? "bad" : row.state == .approved ? "ok" : row.state == .duplicate ? "" : "wait"
    }
}

extension ContributorPage.Note {
    init(_ row: (note: NoteRow, subject: MentionRow)) {
        title = EntryPages.shown(row.subject.title)
        switch row.subject.subject {
        case .submission(let id): url = AdminURL.submission(id)
        case .entry(let id): url = AdminURL.entry(id) + "#notes"
        case .contributor(let id): url = AdminURL.contributorNotes(id)
        }
        author = ActorName.shown(row.note.author)
        when = Instant(row.note.writtenAt)
        text = row.note.text
    }
}

extension ContributorPage.Report {
    init(_ row: ReportCaseRow) {
        title = ReportPages.title(row)
        url = AdminURL.report(row.id)
        reports = ReportPages.count(row.reports)
        outcome = row.outcome?.label
        when = Instant(row.decidedAt ?? row.openedAt)
    }
}
