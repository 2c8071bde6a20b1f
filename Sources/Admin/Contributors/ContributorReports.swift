// The reports about the published entries of a contributor's submissions, newest first.
import Domain
import HTTP
import Store

struct ContributorReports: Encodable, Sendable {
    private static let perPage = 25

    let header: ContributorPage
    let lines: [ContributorPage.Report]
    let first: String?
    let next: String?

    static func load(_ request: AdminRequest, _ contributor: ReputationRow) async throws -> ContributorReports {
        let cursor = request.cursor
        async let header = ContributorPage.load(request, contributor, .reports)
        let page = try await request.database.reportCases.about(contributor.id, cursor: cursor, limit: perPage)
        func url(_ cursor: String?) -> String {
            AdminURL.contributorReports(contributor.id, query: ["cursor": cursor])
        }
        return ContributorReports(
            header: try await header, lines: page.items.map(ContributorPage.Report.init),
            first: cursor.map { _ in url(nil) }, next: page.next.map { url($0) })
    }
}
