// Prints the results that several commands share, as a sentence or as JSON.
import Domain
import Publishing
import Store

private struct EntryOutput: Encodable {
    let id: String
    let revision: Int
    let approved: Bool
    let publication: Int64?
    let release: Int64?
    /// What was removed from the input: `pointer`, `code` and `message`.
    let warnings: JSONValue
}

extension CommandRun {
    package func report(_ outcome: ChangeOutcome) throws {
        if let clockChange = outcome.clockChange { Output.note(clockChange) }
        if isJSON {
            try Output.json(
                EntryOutput(
                    id: outcome.entry.description, revision: outcome.revision, approved: outcome.isApproved,
                    publication: outcome.publication, release: outcome.release, warnings: outcome.warnings.json))
            return
        }
        var sentence = "\(outcome.entry) version \(outcome.revision)"
        if let publication = outcome.publication {
            sentence += ", published in publication \(publication)"
        } else if let release = outcome.release {
            sentence += ", scheduled as release \(release)"
        } else {
            sentence += outcome.isApproved ? ", approved; publish it with \"vitrine publish now\"" : ", draft"
        }
        Output.line(sentence)
        for warning in outcome.warnings.items { Output.note("\(warning.pointer): \(warning.message)") }
    }

    /// Says what the clocks do when something is published at a time at which they change.
    package func noteClockChange(_ timing: PublishTiming, _ database: Database) async throws {
        guard let time = timing.time, let change = try await database.releases.clockChange(at: time) else { return }
        Output.note(change)
    }

    /// Prints one row difference per line.
    package func report(_ rows: [RowChange]) throws {
        for row in rows {
            if isJSON {
                try Output.json(row)
            } else {
                Output.line("\(row.operation)  \(row.table)  \(row.key)")
            }
        }
    }
}
