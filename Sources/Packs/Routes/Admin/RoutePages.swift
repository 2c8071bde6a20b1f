// Lists routes with length, elevation and badges, shows one, and simulates route settings.
import Admin
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Store

enum RoutePages {
    private static let perPage = 50

    // MARK: List

    struct Mark: Encodable, Sendable {
        let badge: String
        let label: String
        let tone: String

        init(_ badge: String, _ result: BadgeResult) {
            self.badge = badge
            label = result.label
            tone =
                switch result {
                case .given: "ok"
                case .notGiven: "plain"
                case .unknown: "wait"
                }
        }
    }

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let thumbnail: ThumbnailView?
        let city: String?
        let length: String
        let net: String
        let marks: [Mark]
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let next: String?
        let isFirst: Bool
        let mayCreate: Bool
        let maySimulate: Bool
        let periods: Int
        let postcodes: Int
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let page = try await request.database.routes.page(cursor: request.cursor, limit: perPage)
        let counts = try await request.database.routes.counts()
        let images = try await request.thumbnails(of: page.items.map(\.id))
        let lines = page.items.map { row in
            Line(
                id: row.id, title: EntryPages.shown(row.title), thumbnail: images[row.id], city: row.city,
                length: DistanceText.length(row.meters), net: DistanceText.net(row.net),
                marks: [Mark("heart", row.heart ?? .unknown), Mark("zoom", row.zoom ?? .unknown)])
        }
        let model = List(
            lines: lines, next: page.next, isFirst: request.cursor == nil,
            mayCreate: request.actor.may(.edit, on: "route"), maySimulate: request.actor.may(.createRelease),
            periods: counts.periods,
            postcodes: counts.postcodes)
        return try request.page("packs/routes/routes/list", model, title: tr("Routes", context: "list"))
    }

    // MARK: Route

    private struct Sample: Encodable, Sendable {
        let number: Int
        let distance: String
        let coordinates: String
        let postcode: String?
        let air: String?
        let obstructions: String?
    }

    private struct Obstruction: Encodable, Sendable {
        let site: String
        let count: String
        let distance: String
        let along: String
    }

    private struct Result: Encodable, Sendable {
        let mark: Mark
        let from: Instant
        let to: Instant
        let isNow: Bool
        let why: String
    }

    private struct Show: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let city: String?
        let length: String
        let net: String
        let points: Int
        let version: Int
        let isLive: Bool
        let drawing: RouteDrawing
        let samples: [Sample]
        let obstructions: [Obstruction]
        let results: [Result]
        let spacing: String
        let reach: String
        let limit: String
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let database = request.database
        guard let revision = try await shown(id, database), let value = revision.content.fields["path"],
            let path = try? RoutePath(reading: value)
        else { throw Failure.missing("route") }
        let settings = try await database.routes.settings()
        let rows = revision.isLive ? try await database.routes.samples(of: id) : []
        let obstructions = revision.isLive ? try await database.routes.obstructions(of: id) : []
        let results = revision.isLive ? try await database.routes.results(of: id, limit: 20) : []
        let spacing = settings.sampleMiles * RoutePath.metersInMile
        let model = Show(
            id: id, title: EntryPages.shown(revision.content.fields["title"]?.stringValue ?? ""),
            city: revision.content.fields["city"]?.stringValue, length: DistanceText.length(path.length),
            net: DistanceText.net(path.netElevation), points: path.points.count, version: revision.number,
            isLive: revision.isLive, drawing: RouteDrawing(path, every: spacing),
            samples: samples(path, every: spacing, rows),
            obstructions: obstructions.map { row in
                Obstruction(
                    site: row.site, count: DistanceText.decimals(row.count, 0),
                    distance: DistanceText.decimals(row.distance, 0), along: DistanceText.length(row.along))
            },
            results: results.map { row in
                Result(
                    mark: Mark(row.badge, row.result), from: Instant(row.from), to: Instant(row.to), isNow: row.isNow,
                    why: why(row, settings))
            },
            spacing: DistanceText.decimals(settings.sampleMiles, 2),
            reach: DistanceText.decimals(settings.obstructionReach, 0),
            limit: DistanceText.decimals(settings.zoomMaxElevation, 1))
        return try request.page("packs/routes/routes/show", model, title: model.title)
    }

    /// The published version of a route, or the newest version of an unpublished one.
    private static func shown(_ id: ID<Entry>, _ database: Database) async throws -> RevisionRow? {
        guard try await database.entries.find(id)?.kind == .route else { return nil }
        if let live = try await database.revisions.live(of: id) { return live }
        return try await database.revisions.newest(of: id)
    }

    private static func samples(_ path: RoutePath, every spacing: Double, _ rows: [SampleRow]) -> [Sample] {
        func value(_ badge: String, _ number: Int) -> String? {
            guard let row = rows.first(where: { $0.badge == badge && $0.number == number }), let value = row.value,
                let place = row.site, let far = row.siteDistance
            else { return nil }
            return
                tr(
                    "\(DistanceText.decimals(value, value == value.rounded() ? 0 : 2)) at \(place), \(DistanceText.decimals(far, 0)) m away"
                )
        }
        return path.samples(every: spacing).enumerated().map { index, sample in
            Sample(
                number: index + 1, distance: DistanceText.length(sample.distance),
                coordinates:
                    "\(DistanceText.decimals(sample.latitude, 5)), \(DistanceText.decimals(sample.longitude, 5))",
                postcode: rows.first { $0.badge == nil && $0.number == index + 1 }?.postcode,
                air: value("heart", index + 1), obstructions: value("zoom", index + 1))
        }
    }

    /// The values that the rule compared, as a sentence.
    private static func why(_ row: BadgeRow, _ settings: RouteSettings) -> String {
        func text(_ name: String) -> String? {
            row.document[name].flatMap { $0 == .null ? nil : $0.canonicalText }
        }
        let (known, all) = (text("known") ?? "0", text("samples") ?? "0")
        if row.badge == "heart" {
            let city = text("city_mean") ?? tr("unknown", context: "badge")
            if known != all { return tr("\(known) of \(all) samples have a value; the city mean is \(city).") }
            return tr("Route mean \(text("mean") ?? tr("unknown", context: "badge")), city mean \(city).")
        }
        let net = text("net_elevation_m").map { $0 + " m" } ?? tr("unknown", context: "badge")
        let found = tr(
            "\(known) of \(all) samples have data, \(text("obstructions") ?? "0") obstructions near the line")
        return
            tr(
                "Net elevation \(net), \(settings.zoomWhenEqual ? "at most" : "less than") \(DistanceText.decimals(settings.zoomMaxElevation, 1)) m; \(found)."
            )
    }

    // MARK: Simulation

    private struct Number: Encodable, Sendable {
        let key: String
        /// The title and help of the setting.
        let label: String
        let help: String
        let current: String
        let value: String
        /// Nil if the value is typed.
        let menu: [Option]?
        let errors: [String]
        let describedBy: String
    }

    private struct Simulation: Encodable, Sendable {
        let numbers: [Number]
        let table: PlanTable?
        let problem: ErrorSummary?
    }

    static func simulate(_ request: AdminRequest) async throws -> Response {
        let current = try await request.database.routes.settings()
        var errors = FieldErrors()
        var table: PlanTable?
        let typed = RouteSettings.keys.compactMap { key in
            request.query.first(key).flatMap { PlainText.singleLine($0).isEmpty ? nil : (key: key, value: $0) }
        }
        if !typed.isEmpty {
            do {
                let plan = try await request.services.simulateRouteSettings(
                    typed, limit: PlanTable.limit, by: request.actor)
                table = try await PlanTable.load(plan, request)
            } catch Failure.invalid(let found) {
                errors = found
            }
        }
        let known = try await request.database.entries.choices(.setting)
        let numbers = RouteSettings.keys.map { key in
            let found = errors.messages(at: "/" + key)
            let currentValue = current.text(key)
            let value = request.query.first(key) ?? currentValue
            let setting = known.first { $0.content["key"]?.stringValue == key }
            return Number(
                key: key, label: setting?.title ?? key, help: setting.map(SettingPages.help) ?? "",
                current: currentValue,
                value: value, menu: setting.flatMap { SettingPages.menu(of: $0, value) }, errors: found,
                describedBy: "\(key)-hint" + (found.isEmpty ? "" : " \(key)-error"))
        }
        return try request.page(
            "packs/routes/routes/simulate", Simulation(numbers: numbers, table: table, problem: ErrorSummary(errors)),
            title: tr("Simulate route settings"),
            status: errors.status)
    }
}
