// The slug that an entry gets while its field stays empty, shown below the field before it is saved.
import Domain
import Platform
import Store

struct SlugHint: Encodable, Sendable {
    /// Empty while the field is filled in, and while there is no title.
    let slug: String
    /// The name of the input that the slug follows; nil for the slug of an entry that exists.
    var title: String?
    /// The URL that returns the slug for the form as it is; nil like `title`.
    var url: String?

    /// The slug of a new entry with this title; nil without a title.
    static func slug(for title: String, _ type: ContentType, _ database: Database) async throws -> String? {
        if PlainText.isBlank(title) { return nil }
        // Whether it is still free is known when the entry is saved. The last one contains the id of the entry.
        let candidates = Slug.candidates(from: title, for: ID<Entry>(UUIDv7.make())).dropLast()
        return try await database.entries.firstFree(of: Array(candidates), kind: type.kind)
    }
}
