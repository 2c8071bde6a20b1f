// The flash messages of actions on categories.
import Domain
import Editorial
import Store

enum CategoryFlash {
    /// `published` is the message after a publication, `pending` the one for a draft or a release, without a full stop.
    static func message(_ outcome: EditOutcome, published: String, pending: String) -> String {
        if let publication = outcome.publication { return "\(published) (publication \(publication))." }
        if let release = outcome.release { return "\(pending); added to release \(release)." }
        return "\(pending); saved as a draft."
    }

    /// The flash of an action that named a category; links to the merge page for a possible duplicate.
    static func named(
        _ message: String, _ name: String, _ id: ID<Entry>, _ database: Database
    ) async throws -> Flash {
        let directory = try await CategoryDirectory.load(database)
        guard let other = directory.similar(name, besides: id) else {
            return Flash(message, link: "/entries/\(id)", linkLabel: "View category")
        }
        return Flash(
            "\(message) Possible duplicate of \(other.title).",
            link: "/categories/\(id)/merge?target=\(other.id)", linkLabel: "Preview merge")
    }
}
