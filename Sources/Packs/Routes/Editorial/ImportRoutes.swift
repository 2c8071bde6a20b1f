// Imports the tracks and routes of GPX files as routes.
import Domain
import Editorial
import Localization
import Markup
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
    private let database: Database
    private let rules: ContentRules
    private let city: String?
    private let publishTiming: PublishTiming

    /// `city` and `publishTiming` apply to every new route; nil means no city.
    package init(database: Database, rules: ContentRules, city: String?, publishTiming: PublishTiming) {
        self.database = database
        self.rules = rules
        self.city = city
        self.publishTiming = publishTiming
    }

    /// Reads one file, named `name`. Importing it again finds its routes: an unchanged path is skipped, a changed one
    /// becomes a new version. With `plan` nothing is written. An unreadable file or an invalid path is reported as
    /// refused; the other paths are imported.
    package func callAsFunction(_ bytes: [UInt8], name: String, plan: Bool, by actor: Actor) async throws
        -> [RouteImport]
    {
        let document: GPXDocument
        do {
            document = try GPXReader.read(bytes)
        } catch {
            return [RouteImport(file: name, title: "", state: .refused, reason: error.sentence)]
        }
        var outcomes: [RouteImport] = []
        let lines = document.lines.filter { !$0.points.isEmpty }
        for (index, line) in lines.enumerated() {
            let source = lines.count == 1 ? name : "\(name)#\(index + 1)"
            let title = Self.title(line, of: document, name: name)
            var outcome = RouteImport(file: source, title: title, state: .new)
            do {
                let path = try RoutePath(points: line.points.compactMap(Self.point))
                outcome.points = path.points.count
                outcome.lengthMeters = path.length
                outcome.netElevationMeters = path.netElevation
                outcome.samples = path.samples(every: RouteSettings().sampleMiles * RoutePath.metersInMile).count
                try await store(path, line, source, plan, &outcome, by: actor)
            } catch let problem as PathProblem {
                (outcome.state, outcome.reason) = (.refused, problem.message)
            } catch let failure as Failure {
                if case .unavailable = failure { throw failure }
                (outcome.state, outcome.reason) = (.refused, failure.sentence)
            }
            outcomes.append(outcome)
        }
        return outcomes
    }

    private func store(
        _ path: RoutePath, _ line: GPXDocument.Line, _ source: String, _ plan: Bool, _ outcome: inout RouteImport,
        by actor: Actor
    ) async throws {
        let write = WriteEntry(database: database, rules: rules)
        if let known = try await database.routes.find(source: source),
            let newest = try await database.revisions.newest(of: known)
        {
            outcome.entry = known
            var fields = try newest.stored.readable()
            outcome.title = fields["title"]?.stringValue ?? outcome.title
            outcome.state = fields["path"] == path.json ? .known : .changed
            if outcome.state == .known || plan { return }
            fields["path"] = path.json
            _ = try await write.edit(
                known, fields: fields, base: newest.number, note: "imported again from \(source)",
                publishTiming: publishTiming,
                by: actor)
            return
        }
        if plan { return }
        var fields: [String: JSONValue] = [
            "title": .string(outcome.title), "path": path.json, "source": .string(String(source.prefix(500))),
        ]
        if let city { fields["city"] = .string(city) }
        let summary = PlainText.singleLine(line.summary)
        if !summary.isEmpty { fields["summary"] = .string(String(summary.prefix(500))) }
        outcome.entry = try await write.create(
            type: "route", fields: fields, note: "imported from \(source)", publishTiming: publishTiming, by: actor
        ).entry
    }

    private static func title(_ line: GPXDocument.Line, of document: GPXDocument, name: String) -> String {
        let names = [line.name, document.name, String(name.prefix { $0 != "." })].map(PlainText.singleLine)
        return String((names.first { !$0.isEmpty } ?? tr("Route", context: "import routes")).prefix(200))
    }

    private static func point(_ point: GPXDocument.Point) -> RoutePoint? {
        RoutePoint(latitude: point.latitude, longitude: point.longitude, elevation: point.elevation)
    }
}
