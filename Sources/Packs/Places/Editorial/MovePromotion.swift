// Gives a promotion other times, in a new version that is published if the version before was and the actor may publish.
import Domain
import Operations
import Store

package struct MovePromotion: Sendable {
    /// Instants as RFC 3339 texts.
    package struct Times: Sendable, Equatable {
        package let starts: String
        package let ends: String

        package init(starts: String, ends: String) {
            self.starts = starts
            self.ends = ends
        }

        package init(of revision: RevisionRow) {
            let fields = revision.content.fields
            starts = fields["starts_at"]?.stringValue ?? ""
            ends = fields["ends_at"]?.stringValue ?? ""
        }
    }

    let database: Database
    let write: WriteEntry

    /// The newest version of a promotion.
    package func newest(of id: ID<Entry>) async throws -> RevisionRow {
        guard let entry = try await database.entries.find(id), entry.kind == .promotion,
            let newest = try await database.revisions.newest(of: id)
        else { throw Failure.missing("entry") }
        return newest
    }

    /// `base` is the number of the version that the actor saw; a newer one is a conflict. A version that isn't published has
    /// other changes that wait, so its successor is a draft, too.
    package func callAsFunction(
        _ id: ID<Entry>, to times: Times, base: Int, by actor: Actor
    ) async throws -> ChangeOutcome {
        let newest = try await newest(of: id)
        var fields = try newest.stored.readable()
        fields["starts_at"] = .string(times.starts)
        fields["ends_at"] = .string(times.ends)
        let timing = newest.isLive ? PublishTiming.now.orDraft(for: actor) : .draft
        return try await write.edit(id, fields: fields, base: base, publishTiming: timing, by: actor)
    }
}
