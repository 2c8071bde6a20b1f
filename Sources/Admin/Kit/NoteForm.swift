// The form for an internal note on a submission, an entry or a contributor.

struct NoteForm: Encodable, Sendable {
    let url: String
    let text: String
    let errors: [String]
    /// Whom it can mention.
    let team: [String]
    let autosave: Autosaved?
}
