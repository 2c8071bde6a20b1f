// Imports the tracks and routes of GPX files as routes.
import Domain
import Localization
import Markup
import Operations
import Store

/// The result of importing one track or route of a file, or of a whole file that was refused.
package struct RouteImport: Sendable, Encodable {
    package enum State: String, Sendable, Encodable {
        case new, changed
        /// Imported before, with the same path.
        case known
        case refused
    }

    package let file: String
    package var title: String
    package var state: State
    package var reason: String?
    package var points: Int?
    package var lengthMeters: Double?
    package var netElevationMeters: Double?
    package var samples: Int?
    package var entry: ID<Entry>?

    private enum CodingKeys: String, CodingKey {
        case file, title, state, reason, points, samples, entry
        case lengthMeters = "length_m"
        case netElevationMeters = "net_elevation_m"
    }
}

package struct ImportRoutes: Sendable {
    /// How many routes are written in one transaction and published together.
    private static let batch = 50

    let database: Database
    let writeEntry: WriteEntry
    /// Of every new route; nil means no city.
    let city: String?
    let publishTiming: PublishTiming

    /// One file: its name, and what reads it.
    package typealias File = (name: String, read: @Sendable () throws -> [UInt8])

    /// Reads the files one by one and notifies of each route. Importing a file again finds its routes: an unchanged path is
    /// skipped, a changed one becomes a new version. With `plan` nothing is written. An unreadable file or an invalid path
    /// is reported as refused; the other paths are imported.
    package func callAsFunction(
        _ files: [File], plan: Bool, by actor: Actor, notify: (RouteImport) throws -> Void
    ) async throws {
        var waiting: [Candidate] = []
        for file in files {
            // A file that occurs twice is that of the same routes.
            var mustWrite = waiting.contains { $0.file == file.name }
            var taken: Set<ID<Entry>> = []
            for line in try Self.lines(of: file) {
                // As is a track that occurs twice.
                if waiting.contains(where: { $0.outcome.file == line.outcome.file }) { mustWrite = true }
                if mustWrite || waiting.count == Self.batch {
                    try await write(waiting, by: actor).forEach(notify)
                    waiting = []
                    mustWrite = false
                }
                let candidate = try await self.candidate(line, except: taken, by: actor)
                if let entry = candidate.outcome.entry { taken.insert(entry) }
                if plan || candidate.draft == nil { try notify(candidate.outcome) } else { waiting.append(candidate) }
            }
        }
        try await write(waiting, by: actor).forEach(notify)
    }

    /// A path of a file, before it is compared with what was imported before; without a path it is refused.
    private struct Line {
        var outcome: RouteImport
        let identity: TrackIdentity
        var path: RoutePath?
        var summary = ""
    }

    private struct Candidate {
        let file: String
        var outcome: RouteImport
        /// Nil if nothing is to be written.
        var draft: EntryDraft?
    }

    private static func lines(of file: File) throws -> [Line] {
        func refused(_ reason: String) -> [Line] {
            let outcome = RouteImport(file: file.name, title: "", state: .refused, reason: reason)
            return [Line(outcome: outcome, identity: TrackIdentity(file: file.name))]
        }
        let bytes: [UInt8]
        do {
            bytes = try file.read()
        } catch Failure.refused(_, let message) {
            // A link out of the folder. A missing file is a mistake in the command.
            return refused(message)
        }
        let document: GPXDocument
        do {
            document = try GPXReader.read(bytes)
        } catch {
            return refused(error.sentence)
        }
        let lines = document.lines.filter { !$0.points.isEmpty }
        return zip(lines, TrackIdentity.all(of: lines, in: file.name)).map { line, identity in
            var read = Line(
                outcome: RouteImport(
                    file: identity.source, title: Self.title(line, of: document, name: file.name), state: .new),
                identity: identity,
                summary: String(PlainText.singleLine(line.summary).prefix(500)))
            do throws(PathProblem) {
                let path = try RoutePath(points: line.points.compactMap(Self.point))
                read.outcome.points = path.points.count
                read.outcome.lengthMeters = path.length
                read.outcome.netElevationMeters = path.netElevation
                read.outcome.samples = path.samples(every: RouteSettings().sampleMiles * RoutePath.metersInMile).count
                read.path = path
            } catch {
                (read.outcome.state, read.outcome.reason) = (.refused, error.message)
            }
            return read
        }
    }

    /// The route that was imported from this track. `taken` are those of other tracks of the file.
    private func known(_ line: Line, _ path: RoutePath, except taken: Set<ID<Entry>>) async throws -> RevisionRow? {
        if let found = try await newest(from: line.identity.source) { return found }
        for other in line.identity.others {
            guard let found = try await newest(from: other.source), !taken.contains(found.entry) else { continue }
            if try !other.needsSamePath || found.stored.readable()["path"] == path.json { return found }
        }
        return nil
    }

    private func newest(from source: String) async throws -> RevisionRow? {
        guard let entry = try await database.routes.find(source: source) else { return nil }
        return try await database.revisions.newest(of: entry)
    }

    /// Compares a path with the route that was imported from the same track.
    private func candidate(_ line: Line, except taken: Set<ID<Entry>>, by actor: Actor) async throws -> Candidate {
        var candidate = Candidate(file: line.identity.file, outcome: line.outcome)
        guard let path = line.path else { return candidate }
        let source = line.identity.source
        do {
            if let newest = try await known(line, path, except: taken) {
                var fields = try newest.stored.readable()
                candidate.outcome.entry = newest.entry
                candidate.outcome.title = fields["title"]?.stringValue ?? candidate.outcome.title
                candidate.outcome.state = fields["path"] == path.json ? .known : .changed
                if candidate.outcome.state == .known { return candidate }
                fields["path"] = path.json
                fields["source"] = .string(source)
                candidate.draft = try await writeEntry.newDraft(
                    type: "route", fields: fields, note: "Imported again from \(source)",
                    keeping: newest.content.fields, by: actor
                ).draft
                candidate.draft?.entry = newest.entry
                candidate.draft?.base = newest.number
                return candidate
            }
            var fields: [String: JSONValue] = [
                "title": .string(line.outcome.title), "path": path.json, "source": .string(source),
            ]
            if let city { fields["city"] = .string(city) }
            if !line.summary.isEmpty { fields["summary"] = .string(line.summary) }
            candidate.draft = try await writeEntry.newDraft(
                type: "route", fields: fields, note: "Imported from \(source)", by: actor
            ).draft
        } catch let failure as Failure {
            candidate.outcome = try Self.refused(candidate.outcome, failure)
        }
        return candidate
    }

    /// Writes the routes together; if one is refused, each by itself.
    private func write(_ candidates: [Candidate], by actor: Actor) async throws -> [RouteImport] {
        let drafts = candidates.compactMap(\.draft)
        guard let first = candidates.first, !drafts.isEmpty else { return [] }
        let source = drafts.count == 1 ? first.outcome.file : "\(drafts.count) routes"
        do {
            let written = try await writeEntry.importAll(
                drafts, from: source, publishTiming: publishTiming, by: actor)
            return zip(candidates, written).map { candidate, written in
                var outcome = candidate.outcome
                outcome.entry = written.entry
                return outcome
            }
        } catch let failure as Failure {
            if candidates.count == 1 { return [try Self.refused(first.outcome, failure)] }
            if case .unavailable = failure { throw failure }
            var outcomes: [RouteImport] = []
            for candidate in candidates { outcomes += try await write([candidate], by: actor) }
            return outcomes
        }
    }

    private static func refused(_ outcome: RouteImport, _ failure: Failure) throws -> RouteImport {
        if case .unavailable = failure { throw failure }
        var outcome = outcome
        (outcome.state, outcome.reason) = (.refused, failure.sentence)
        return outcome
    }

    private static func title(_ line: GPXDocument.Line, of document: GPXDocument, name: String) -> String {
        let names = [line.name, document.name, String(name.prefix { $0 != "." })].map(PlainText.singleLine)
        return String((names.first { !$0.isEmpty } ?? tr("Route", context: "import routes")).prefix(200))
    }

    private static func point(_ point: GPXDocument.Point) -> RoutePoint? {
        RoutePoint(latitude: point.latitude, longitude: point.longitude, elevation: point.elevation)
    }
}
