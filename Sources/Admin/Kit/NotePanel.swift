// The internal notes on an entry or a contributor, with a form for another one.
import Domain
import Localization
import Store

struct NotePanel: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let author: String
        let when: Instant
        let text: String
        let mentioned: String?

        init(_ note: NoteRow) {
            author = ActorName.shown(note.author)
            when = Instant(note.writtenAt)
            text = note.text
            mentioned = note.mentioned.isEmpty ? nil : note.mentioned.joined(separator: ", ")
        }
    }

    /// Those of one page, oldest first.
    let lines: [Line]
    /// There are earlier ones, which the history of an entry has.
    let hasEarlier: Bool
    /// The page of the notes before and of the newest ones on a contributor, which are in no other list; nil for none.
    let earlier: String?
    let latest: String?
    let form: NoteForm?
    /// The page with the form, if it isn't on this one.
    var formURL: String?

    private static func limit(_ subject: NoteSubject) -> Int { subject.contributor == nil ? 10 : 50 }

    /// The URL of the page of what the notes are about, and where its form is sent.
    private static func urls(of subject: NoteSubject) -> (page: String, form: String) {
        switch subject {
        case .submission(let id): (AdminURL.submission(id), AdminURL.submissionNotes(id))
        case .entry(let id): (AdminURL.entry(id), AdminURL.entryNotes(id))
        case .contributor(let id): (AdminURL.contributorNotes(id), AdminURL.contributorNotes(id))
        }
    }

    /// A page of the notes on a contributor; nil for what has one page of notes.
    private static func url(_ subject: NoteSubject, before cursor: String?) -> String? {
        subject.contributor.map { AdminURL.contributorNotes($0, query: ["cursor": cursor]) }
    }

    /// The name under which the form is saved while somebody types.
    private static func name(_ subject: NoteSubject) -> String { urls(of: subject).page + "#note" }

    /// The request for a page with the panel. `title`: of what the notes are about.
    static func saving(_ request: AdminRequest, _ subject: NoteSubject, title: String) async throws -> AdminRequest {
        guard request.actor.may(.decide) else { return request }
        return try await request.autosaving([
            name(subject): tr("Internal note: \(title)", context: "autosave")
        ])
    }

    /// The newest notes without a form, beside another form: the signed-in person has now seen the mentions in them.
    static func read(_ subject: NoteSubject, _ request: AdminRequest) async throws -> NotePanel {
        let page = try await request.database.notes.page(about: subject, cursor: nil, limit: limit(subject))
        if !page.items.isEmpty { try await request.services.addNote.markSeen(subject, by: request.actor) }
        return NotePanel(
            lines: page.items.reversed().map(Line.init), hasEarlier: page.next != nil && subject.entry != nil,
            earlier: nil, latest: nil, form: nil,
            formURL: request.actor.may(.decide) ? urls(of: subject).page + "#notes" : nil)
    }

    /// The signed-in person has now seen the mentions in the notes. `request` is that of `saving`; `errors` are those of the
    /// submitted note.
    static func load(
        _ request: inout AdminRequest, _ subject: NoteSubject, errors: FieldErrors
    ) async throws -> NotePanel {
        let limit = limit(subject)
        let cursor = subject.contributor == nil ? nil : request.cursor
        let page = try await request.database.notes.page(about: subject, cursor: cursor, limit: limit)
        let notes = page.items.reversed()
        if !notes.isEmpty { try await request.services.addNote.markSeen(subject, by: request.actor) }
        let messages = errors.messages(at: "/text")
        var text = messages.isEmpty ? "" : request.form.first("text") ?? ""
        if let restored = request.restore(name(subject)) { text = restored.first("text") ?? "" }
        return NotePanel(
            lines: notes.map(Line.init),
            hasEarlier: page.next != nil && subject.entry != nil,
            earlier: page.next.flatMap { url(subject, before: $0) },
            latest: cursor.flatMap { _ in url(subject, before: nil) },
            form: request.actor.may(.decide)
                ? NoteForm(
                    url: urls(of: subject).form, text: text, errors: messages,
                    team: try await request.teammates(of: subject),
                    autosave: request.autosave(name(subject))) : nil)
    }
}
