// The form that moves selected entries of a release to another open release, or to a new one.
import Domain
import Localization
import Store

struct ReleaseMoveForm: Encodable, Sendable {
    private static let shownReleases = 50

    /// A new release, and the open ones.
    let releases: [Option]
    let title: String
    let entryErrors: [String]
    let releaseErrors: [String]
    let titleErrors: [String]

    /// `errors` are those of the submitted form.
    static func load(
        _ request: AdminRequest, _ release: ReleaseRow, errors: FieldErrors
    ) async throws -> ReleaseMoveForm {
        let open = try await request.database.releases.open(limit: shownReleases)
        return ReleaseMoveForm(
            releases: Option.list(
                [("", tr("New release"))]
                    + open.filter { $0.id != release.id }.map { (String($0.number), "\($0.number) \($0.title)") },
                chosen: request.form.first("release")),
            title: request.form.first("title") ?? "", entryErrors: errors.messages(at: "/entry"),
            releaseErrors: errors.messages(at: "/release"), titleErrors: errors.messages(at: "/title"))
    }

    /// Whether the person may change the contents of the release, of which `others` are outside their access scope.
    static func mayChange(_ release: ReleaseRow, others: Int, _ actor: Actor) -> Bool {
        switch release.state {
        case .open, .failed: actor.may(.createRelease)
        // It is published as it is, and a change opens all of it, so it takes the permission to publish all of it.
        case .scheduled: actor.may(.createRelease) && actor.may(.publish) && others == 0
        case .published, .canceled: false
        }
    }

    /// The entries that are selected in the form.
    static func selected(_ request: AdminRequest) -> [ID<Entry>] {
        request.form.all("entry").compactMap { ID<Entry>($0) }
    }
}
