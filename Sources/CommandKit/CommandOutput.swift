// Prints the results that several commands share, as a sentence or as JSON.
import Domain
import Operations
import Platform
import Store

extension CommandRun {
    /// `warnings` is what was removed from the input: `pointer`, `code` and `message`.
    @discardableResult
    package func report(_ outcome: ChangeOutcome) throws -> ExitCode {
        if let clockChange = outcome.clockChange { Output.note(clockChange) }
        let end =
            outcome.publication.map { ", published in publication \($0)" }
            ?? outcome.release.map { ", scheduled as release \($0)" }
            ?? (outcome.isApproved ? ", approved; publish it with \"vitrine publish now\"" : ", draft")
        try report(
            [
                "id": outcome.entry, "revision": outcome.revision, "approved": outcome.isApproved,
                "publication": outcome.publication, "release": outcome.release, "warnings": outcome.warnings.json,
            ], "\(outcome.entry) version \(outcome.revision)\(end)")
        for warning in outcome.warnings.items { note("\(warning.pointer): \(warning.message)") }
        return .ok
    }

    /// Says the new secret of a client or webhook, which nobody can read later.
    package func report<Noun>(_ id: ID<Noun>, secret: String) throws -> ExitCode {
        try report(["id": id, "secret": secret], "id: \(id)\nsecret: \(secret)")
        note("Store the secret now. It won't be shown again.")
        return .ok
    }

    /// Says what the clocks do when something is published at a time at which they change.
    package func noteClockChange(_ timing: PublishTiming, _ database: Database) async throws {
        guard let time = timing.time, let change = try await database.releases.clockChange(at: time) else { return }
        Output.note(change)
    }

    /// Prints one row difference per line.
    package func report(_ rows: [RowChange]) throws {
        for row in rows { try report(json: row, "\(row.operation)  \(row.table)  \(row.key)") }
    }
}
