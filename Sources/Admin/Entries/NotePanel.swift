// The internal notes of an entry beside its text, with a form for another one.
import Domain
import Localization
import Store

struct NotePanel: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let author: String
        let when: Instant
        let text: String
        let mentioned: String?
    }

    /// The newest ones, oldest first.
    let lines: [Line]
    let hasEarlier: Bool
    let form: SubmissionActionForms.Note?

    private static let limit = 10

    /// The name under which the form is saved while somebody types.
    private static func name(_ id: ID<Entry>) -> String { AdminURL.entry(id) + "#note" }

    /// The request for a page with the panel.
    static func saving(_ request: AdminRequest, _ entry: EntryRow) async throws -> AdminRequest {
        guard request.actor.may(.decide) else { return request }
        return try await request.autosaving([
            name(entry.id): tr("Internal note: \(EntryPages.shown(entry.title))", context: "autosave")
        ])
    }

    /// The signed-in person has now seen the mentions in the notes. `request` is that of `saving`; `errors` are those of the
    /// submitted note.
    static func load(
        _ request: inout AdminRequest, _ entry: EntryRow, errors: FieldErrors
    ) async throws -> NotePanel {
        let subject = NoteSubject.entry(entry.id)
        let notes = try await request.database.notes.about(subject, limit: limit + 1)
        if !notes.isEmpty { try await request.services.addNote.markSeen(subject, by: request.actor) }
        let messages = errors.messages(at: "/text")
        var text = messages.isEmpty ? "" : request.form.first("text") ?? ""
        if let restored = request.restore(name(entry.id)) { text = restored.first("text") ?? "" }
        return NotePanel(
            lines: notes.suffix(limit).map { note in
                Line(
                    author: note.author, when: Instant(note.writtenAt), text: note.text,
                    mentioned: note.mentioned.isEmpty ? nil : note.mentioned.joined(separator: ", "))
            },
            hasEarlier: notes.count > limit,
            form: request.actor.may(.decide)
                ? SubmissionActionForms.Note(
                    url: AdminURL.entryNotes(entry.id), text: text, errors: messages,
                    team: try await request.teammates(of: subject),
                    autosave: request.autosave(name(entry.id))) : nil)
    }
}
