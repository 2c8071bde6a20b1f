// The screening rules: lists, creates, shows and activates versions, with their test results.
import Domain
import HTTP
import Localization
import Operations
import Store

enum ScreeningPages {
    private struct Version: Encodable, Sendable {
        let number: Int
        let note: String
        let about: String
        let isActive: Bool
        let createdAt: Instant

        init(_ row: ScreeningRulesRow) {
            number = row.version
            note = row.note
            about =
                tr("by \(ActorName.shown(row.createdBy))", context: "version")
                + (row.decisions.map { tr(", tested on \($0) decisions") } ?? tr(", not tested"))
            isActive = row.isActive
            createdAt = Instant(row.createdAt)
        }
    }

    private struct ListModel: Encodable, Sendable {
        let versions: [Version]
        let form: ScreeningForm?
        let problem: ErrorSummary?
        let languages: String
        let testedDecisions: String
        /// Nil for people who can't change the rules.
        let classifier: ClassifierStatusView?
    }

    static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let url = AdminURL.screening()
        let saving = try await request.autosaving([url: tr("Screening rules")])
        let restored = saving.restored(url)
        let request = restored ?? saving
        let typed = errors.isEmpty && restored == nil ? nil : request.form
        let versions = try await request.database.screenings.versions()
        let current = versions.first(where: \.isActive) ?? versions.first
        let mayChange = request.actor.may(.publish)
        let model = ListModel(
            versions: versions.map(Version.init),
            form: mayChange ? ScreeningForm(current?.rules ?? .object([:]), typed: typed, errors: errors) : nil,
            problem: ErrorSummary(byField(errors)),
            languages: LanguageGuess.known.map { "\($0) (\(LanguageName.of($0)))" }.joined(separator: ", "),
            testedDecisions: CountText.text(ManageScreening.testedDecisions, limit: ManageScreening.testedDecisions),
            classifier: mayChange ? try await ClassifierStatusView.load(request) : nil)
        return try request.page(
            "admin/screening/list", model, title: tr("Screening", context: "list model"), status: errors.status)
    }

    /// All terms share one field, and so do all languages.
    private static func byField(_ errors: FieldErrors) -> FieldErrors {
        var found = FieldErrors()
        for item in errors.items {
            let field = item.pointer.split(separator: "/").first.map { "/\($0)" } ?? ""
            found.add(field, item.code, item.message)
        }
        return found
    }

    static func create(_ request: AdminRequest) async throws -> Response {
        try await request.submit(orShow: list) {
            let version = try await request.services.manageScreening.create(
                ScreeningForm.json(request.form), note: request.form.first("note") ?? "", by: request.actor)
            return request.redirect(
                to: AdminURL.screeningVersion(version),
                Flash(tr("Saved as version \(version) and tested. It isn't active yet.")))
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
        let id: ID<Submission>
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
        let mayActivate: Bool
    }

    private static func find(_ request: AdminRequest) async throws -> ScreeningRulesRow {
        guard let number = request.parameters["version"].flatMap({ Int($0) }), (1...1_000_000_000).contains(number),
            let row = try await request.database.screenings.find(version: number)
        else { throw Failure.missing("version") }
        return row
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        let row = try await find(request)
        let rules = try ScreeningRules(reading: row.rules)
        let trial = ScreeningTrial(reading: row.trial ?? .object([:]), decisions: row.decisions ?? 0)
        let visible = try await request.database.access.visible(
            trial.samples.map(\.submission), request.actor.scope)
        let verdicts = [
            ("approved", tr("Approved", context: "model")), ("rejected", tr("Rejected, not spam")),
            ("spam", tr("Rejected as spam")),
        ]
        let model = Model(
            version: Version(row), lines: summary(of: rules), decisions: trial.decisions,
            outcomes: trial.decisions == 0
                ? []
                : verdicts.map { verdict, label in
                    let levels = trial.counts[verdict] ?? [:]
                    return Outcome(
                        verdict: label, low: levels[.low] ?? 0, medium: levels[.medium] ?? 0, high: levels[.high] ?? 0,
                        automatic: trial.automatic[verdict] ?? 0)
                },
            samples: trial.samples.filter { visible.contains($0.submission) }.map {
                Sample(
                    title: $0.title.isEmpty ? tr("Untitled", context: "model") : $0.title, id: $0.submission,
                    verdict: $0.verdict, level: $0.level.rawValue, score: $0.score,
                    why: $0.why.isEmpty ? tr("no rule matched") : $0.why)
            },
            mayActivate: request.actor.may(.publish) && !row.isActive)
        return try request.page("admin/screening/show", model, title: tr("Screening rules, version \(row.version)"))
    }

    /// The rules as sentences.
    static func summary(of rules: ScreeningRules) -> [String] {
        var lines = rules.terms.map { tr("“\($0.text)” in title or text: \($0.points) points.") }
        lines.append(tr("More than \(rules.links) links: \(rules.linkPoints) points."))
        lines.append(tr("Text shorter than \(rules.letters) letters: \(rules.lengthPoints) points."))
        lines.append(
            tr(
                "At least \(rules.rejectedPercent)% of a contributor's submissions rejected "
                    + "(after \(ScreeningRules.leastDecided) decisions): \(rules.recordPoints) points."))
        lines.append(tr("More than \(rules.perHour) submissions per contributor and hour: \(rules.ratePoints) points."))
        if !rules.languages.isEmpty {
            let names = rules.languages.map(LanguageName.of).joined(separator: ", ")
            lines.append(tr("Language other than \(names): \(rules.languagePoints) points."))
        }
        lines.append(tr("Similar to past spam: up to \(rules.learnedPoints) points."))
        lines.append(tr("Medium risk from \(rules.medium) points, high risk from \(rules.high) points."))
        for (name, trust) in [
            (tr("Known", context: "model"), rules.known), (tr("Trusted", context: "model"), rules.trusted),
        ] {
            lines.append(
                tr("\(name): at least \(trust.approved) approved, at most \(trust.rejectedPercent)% rejected, no spam.")
            )
        }
        switch rules.approveFrom {
        case nil: lines.append(tr("Auto-approve: Off."))
        case 1: lines.append(tr("Auto-approve: low-risk submissions of known and trusted contributors."))
        default: lines.append(tr("Auto-approve: low-risk submissions of trusted contributors."))
        }
        return lines
    }

    static func activate(_ request: AdminRequest) async throws -> Response {
        let row = try await find(request)
        try await request.services.manageScreening.activate(
            row.version, by: request.actor)
        return request.redirect(
            to: AdminURL.screeningVersion(row.version),
            Flash(tr("Version \(row.version) is active. It applies to new submissions.")))
    }
}
