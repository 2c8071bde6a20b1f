// What to say after an action on categories: how far it got, and what may be worth a look now.
import Domain
import Editorial
import Store

enum CategoryFlash {
    /// `done` is said where readers see it now, `waits` where it is a draft; both without a full stop.
    static func sentence(_ outcome: EditOutcome, done: String, waits: String) -> String {
        if let publication = outcome.publication { return "\(done) (publication \(publication))." }
        if let release = outcome.release { return "\(waits), and goes live with release \(release)." }
        return "\(waits), as a draft: readers see it after it is approved and published."
    }

    /// The flash of an action that gave a category a name: it leads to merging where there is one much like it.
    static func named(
        _ sentence: String, _ name: String, _ id: ID<Entry>, _ database: Database
    ) async throws -> Flash {
        let directory = try await CategoryDirectory.load(database)
        guard let other = directory.similar(name, besides: id) else {
            return Flash(sentence, link: "/entries/\(id)", linkLabel: "Open it")
        }
        return Flash(
            "\(sentence) Its name is much like \(other.title): do they mean the same?",
            link: "/categories/\(id)/merge?target=\(other.id)", linkLabel: "See what merging them would do")
    }
}
