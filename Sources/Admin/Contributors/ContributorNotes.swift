// The internal notes on a contributor, and the newest ones on their submissions and the entries of these.
import Domain
import Store

struct ContributorNotes: Encodable, Sendable {
    private static let shownNotes = 20

    let header: ContributorPage
    let notes: NotePanel
    let submissionNotes: [ContributorPage.Note]
    /// There are older ones, which are on the pages of the submissions and entries.
    let hasMoreNotes: Bool
    let problem: ErrorSummary?

    static func load(
        _ request: AdminRequest, _ contributor: ReputationRow, notes: NotePanel, errors: FieldErrors
    ) async throws -> ContributorNotes {
        async let header = ContributorPage.load(request, contributor, .notes)
        let found = try await request.database.reputations.notes(of: contributor.id, limit: shownNotes + 1)
        return ContributorNotes(
            header: try await header, notes: notes,
            submissionNotes: found.prefix(shownNotes).map(ContributorPage.Note.init),
            hasMoreNotes: found.count > shownNotes, problem: ErrorSummary(errors))
    }
}
