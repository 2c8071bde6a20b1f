// The team's screening rules: versions, the form for another one, what it would have done, and the switch.
import Domain
import HTTP
import Review
import Store

enum ScreeningPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/screening", access: .may(.readQueue)) { try await list($0) },
        AdminEndpoint(method: "POST", pattern: "/screening", access: .may(.publish), handler: add),
        AdminEndpoint(method: "GET", pattern: "/screening/{version}", access: .may(.readQueue), handler: show),
        AdminEndpoint(
            method: "POST", pattern: "/screening/{version}/activate", access: .may(.publish), handler: activate),
    ]

    private struct Version: Encodable, Sendable {
        let number: Int
        let address: String
        let note: String
        let about: String
        let isOn: Bool
        let made: Instant

        init(_ row: ScreeningRulesRow) {
            number = row.version
            address = "/screening/\(row.version)"
            note = row.note
            about = "by \(row.createdBy)" + (row.decisions.map { ", tried on \($0) decisions" } ?? ", not tried")
            isOn = row.isOn
            made = Instant(row.createdAt)
        }
    }

    private struct ListModel: Encodable, Sendable {
        let versions: [Version]
        let form: ScreeningForm?
        let problem: ErrorSummary?
        let languages: String
        let tried: Int
    }

    private static func list(
        _ request: AdminRequest, typed: FormFields? = nil, errors: FieldErrors = FieldErrors(), status: Int = 200
    ) async throws -> Response {
        let versions = try await request.database.screenings.versions()
        let current = versions.first(where: \.isOn) ?? versions.first
        let mayChange = request.actor.may(.publish)
        let model = ListModel(
            versions: versions.map(Version.init),
            form: mayChange ? ScreeningForm(current?.rules ?? .object([:]), typed: typed, errors: errors) : nil,
            problem: ErrorSummary(pointing(errors)), languages: LanguageGuess.known.joined(separator: " "),
            tried: ManageScreening.tried)
        return try request.page(
            "admin/screening/list", model, title: (errors.isEmpty ? "" : "Error: ") + "Screening", status: status)
    }

    /// Lines of words and languages have one field each.
    private static func pointing(_ errors: FieldErrors) -> FieldErrors {
        var found = FieldErrors()
        for item in errors.items {
            let field = item.pointer.split(separator: "/").first.map { "/\($0)" } ?? ""
            found.add(field, item.code, item.message)
        }
        return found
    }

    private static func add(_ request: AdminRequest) async throws -> Response {
        do {
            let version = try await ManageScreening(database: request.database, rules: request.context.rules).add(
                ScreeningForm.json(request.form), note: request.form.first("note") ?? "", by: request.actor)
            return request.redirect(
                to: "/screening/\(version)", Flash("Kept as version \(version) and tried. It is not switched on yet."))
        } catch Failure.invalid(let errors) {
            return try await list(request, typed: request.form, errors: errors, status: 422)
        }
    }

    // MARK: One version

    private struct Outcome: Encodable, Sendable {
        let verdict: String
        let low: Int
        let medium: Int
        let high: Int
        let automatic: Int
    }

    private struct Sample: Encodable, Sendable {
        let title: String
        let address: String
        let verdict: String
        let level: String
        let score: Int
        let why: String
    }

    private struct Model: Encodable, Sendable {
        let version: Version
        let lines: [String]
        let decisions: Int
        let outcomes: [Outcome]
        let samples: [Sample]
        let activation: String?
    }

    private static func find(_ request: AdminRequest) async throws -> ScreeningRulesRow {
        guard let number = request.parameters["version"].flatMap({ Int($0) }), (1...1_000_000_000).contains(number),
            let row = try await request.database.screenings.find(version: number)
        else { throw Failure.missing("version") }
        return row
    }

    private static func show(_ request: AdminRequest) async throws -> Response {
        let row = try await find(request)
        let rules = try ScreeningRules(reading: row.rules)
        let trial = ScreeningTrial(reading: row.trial ?? .object([:]), decisions: row.decisions ?? 0)
        let verdicts = [("approved", "Approved"), ("rejected", "Rejected, not as spam"), ("spam", "Rejected as spam")]
        let model = Model(
            version: Version(row), lines: words(of: rules), decisions: trial.decisions,
            outcomes: trial.decisions == 0
                ? []
                : verdicts.map { verdict, label in
                    let levels = trial.counts[verdict] ?? [:]
                    return Outcome(
                        verdict: label, low: levels[.low] ?? 0, medium: levels[.medium] ?? 0, high: levels[.high] ?? 0,
                        automatic: trial.automatic[verdict] ?? 0)
                },
            samples: trial.samples.map {
                Sample(
                    title: $0.title.isEmpty ? "Without a title" : $0.title, address: "/queue/\($0.submission)",
                    verdict: $0.verdict, level: $0.level.rawValue, score: $0.score,
                    why: $0.why.isEmpty ? "nothing was found" : $0.why)
            },
            activation: request.actor.may(.publish) && !row.isOn ? "/screening/\(row.version)/activate" : nil)
        return try request.page("admin/screening/show", model, title: "Screening rules, version \(row.version)")
    }

    /// The rules in sentences.
    static func words(of rules: ScreeningRules) -> [String] {
        var lines = rules.words.map { "“\($0.words)” in title or text: \($0.points) points." }
        lines.append("More than \(rules.links) links: \(rules.linkPoints) points.")
        lines.append("Fewer than \(rules.letters) letters of text: \(rules.lengthPoints) points.")
        lines.append(
            "At least \(rules.rejectedPercent) % of a contributor's rejected, from \(ScreeningRules.leastDecided) decisions on: \(rules.recordPoints) points."
        )
        lines.append("More than \(rules.perHour) of a contributor within an hour: \(rules.ratePoints) points.")
        if !rules.languages.isEmpty {
            lines.append("Not in \(rules.languages.joined(separator: ", ")): \(rules.languagePoints) points.")
        }
        lines.append("Like past spam: up to \(rules.learnedPoints) points.")
        lines.append("Medium from \(rules.medium), high from \(rules.high) points on.")
        for (name, trust) in [("Known", rules.known), ("Trusted", rules.trusted)] {
            lines.append(
                "\(name): at least \(trust.approved) accepted, at most \(trust.rejectedPercent) % rejected, no spam.")
        }
        switch rules.approveFrom {
        case nil: lines.append("Nothing is accepted without a person.")
        case 1: lines.append("Low risks of known and trusted contributors are accepted without a person.")
        default: lines.append("Low risks of trusted contributors are accepted without a person.")
        }
        return lines
    }

    private static func activate(_ request: AdminRequest) async throws -> Response {
        let row = try await find(request)
        try await ManageScreening(database: request.database, rules: request.context.rules).activate(
            row.version, by: request.actor)
        return request.redirect(
            to: "/screening/\(row.version)",
            Flash("Version \(row.version) is on: what comes in from now on is screened by it."))
    }
}
