// The internal notes on a contributor, and the newest ones on their submissions and the entries of these.
import Domain
import Store

struct ContributorNotes: Encodable, Sendable {
    let header: ContributorPage
    let notes: NotePanel
    let submissionNotes: [ContributorPage.Note]
    let problem: ErrorSummary?

    static func load(
        _ request: AdminRequest, _ contributor: ReputationRow, notes: NotePanel, errors: FieldErrors
    ) async throws -> ContributorNotes {
        async let header = ContributorPage.load(request, contributor, .notes)
        let submissionNotes = try await request.database.reputations.notes(of: contributor.id)
        return ContributorNotes(
            header: try await header, notes: notes, submissionNotes: submissionNotes.map(ContributorPage.Note.init),
            problem: ErrorSummary(errors))
    }
}
