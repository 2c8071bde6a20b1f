// Imports places and cities: upload a file, review the plan, run the import.
import Admin
import Domain
import HTTP
import Localization
import Operations
import Store

enum ImportPages {
    /// The plan page contains the file, so that nothing is stored. Larger files need the command line.
    private static let maxBytes = 1 << 20
    /// The cities that the form lists.
    private static let maxCities = 200

    /// The form with its input.
    private struct Form: Encodable, Sendable {
        let type: String
        let types: [Option]
        let source: String
        let city: String
        let cities: [Option]
        /// Finds more cities while one is typed; empty where all are in the page.
        let citiesURL: String
        let categories: CategoryCheckboxes
        let image: String
        let groups: [Option]
        let actions: [Option]
        let problem: ErrorSummary?
    }

    private struct Line: Encodable, Sendable {
        let location: String
        let title: String
        let state: String
        let tone: String
        let details: String

        init(_ line: ImportLine) {
            location = line.location
            title = line.title
            state =
                switch line.state {
                case .new: tr("New", context: "line")
                case .changed: tr("Changed", context: "line")
                case .unchanged: tr("Unchanged", context: "line")
                case .error: tr("Error", context: "line")
                }
            tone =
                switch line.state {
                case .new: "ok"
                case .changed: "wait"
                case .error: "bad"
                case .unchanged: ""
                }
            details = (line.fields + [line.message].compactMap { $0 }).joined(separator: ", ")
        }
    }

    private struct Plan: Encodable, Sendable {
        let form: Form
        /// The slugs of the default categories.
        let chosen: [String]
        /// The columns of this plan, as a text.
        let planned: String
        let columns: [ImportColumns.Menu]
        /// The file, submitted again with the import.
        let text: String
        let new: Int
        let changed: Int
        let unchanged: Int
        let errors: Int
        let changes: [Line]
        let problems: [Line]
        let moreChanges: Int?
        let moreProblems: Int?
        let unknown: String?
        let group: String
        let action: String
        let mayApply: Bool
        /// The label of the chosen action.
        let actionLabel: String
    }

    static func new(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        try request.page(
            "packs/places/import/new", try await form(request, errors), title: tr("Import", context: "plan"),
            status: errors.status)
    }

    private static func form(_ request: AdminRequest, _ errors: FieldErrors) async throws -> Form {
        let types = request.context.rules.types.all.filter { $0.kind == .place || $0.kind == .city }
        let type = request.text("type") ?? types.first { $0.kind == .place }?.name ?? ""
        let groups = try await request.database.imports.names(of: .categoryGroup)
        let group = request.text("group") ?? ""
        let action = request.text("after") ?? "draft"
        let all = [
            ("draft", tr("Save as drafts")), ("approve", tr("Approve", context: "plan")),
            ("now", tr("Approve and publish now")),
        ]
        let actions = all.filter { value, _ in
            value == "draft" || request.actor.may(.approve) && (value == "approve" || request.actor.may(.publish))
        }
        let cities = try await request.database.imports.names(of: .city).filter { !$0.isArchived }
        let cityTypes = types.filter { $0.kind == .city }.map(\.name).joined(separator: ",")
        let counts = Dictionary(cities.map { ($0.title, 1) }, uniquingKeysWith: +)
        return Form(
            type: type, types: types.map { Option(value: $0.name, label: $0.plural, isChosen: $0.name == type) },
            source: request.text("source") ?? "", city: request.text("city") ?? "",
            // Two cities with the same name differ by their slugs.
            cities: cities.sorted { $0.title < $1.title }.prefix(maxCities).map {
                Option(value: counts[$0.title] == 1 ? $0.title : $0.slug, label: $0.title, isChosen: false)
            },
            citiesURL: cities.count > maxCities ? AdminURL.entryChoices(query: ["types": cityTypes]) : "",
            categories: try await CategoryCheckboxes.slugs(
                request, name: "category", chosen: request.form.all("category")),
            image: request.text("image") ?? "",
            groups: groups.map { Option(value: $0.slug, label: $0.title, isChosen: $0.slug == group) },
            actions: Option.list(actions, chosen: action),
            problem: ErrorSummary(errors))
    }

    /// The options from the form; the default source is the file name.
    private static func options(_ request: AdminRequest, filename: String?) throws(Failure) -> ImportOptions {
        guard let source = request.text("source") ?? filename.map({ PlainText.singleLine($0) }), !source.isEmpty else {
            throw .invalid(FieldErrors("/source", "required", tr("Enter a source name.")))
        }
        guard source.count <= 200 else {
            throw .invalid(FieldErrors("/source", "too_long", tr("Enter at most 200 characters.")))
        }
        var options = ImportOptions(source: source)
        options.city = request.text("city")
        options.categories = request.form.all("category").filter { !$0.isEmpty }
        options.image = request.text("image")
        options.createCategoriesIn = request.text("group")
        options.columns = ImportColumns.chosen(request.form)
        options.publishTiming = try PublishTiming(choice: request.form.first("after") ?? "") ?? .draft
        return options
    }

    private static func bytes(_ request: AdminRequest) throws(Failure) -> [UInt8] {
        let bytes = request.form.upload("file")?.bytes ?? Array((request.form.first("text") ?? "").utf8)
        if bytes.isEmpty { throw .invalid(FieldErrors("/file", "required", tr("Choose a file that is not empty."))) }
        if bytes.count > maxBytes {
            let message =
                tr(
                    "The file has \(bytes.count / 1024) KiB; the limit is \(maxBytes / 1024) KiB. "
                        + "Use the command vitrine import for larger files.")
            throw .invalid(FieldErrors("/file", "too_large", message))
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .invalid(FieldErrors("/file", "format", tr("The file is not UTF-8 text. Save it as UTF-8.")))
        }
        return bytes
    }

    static func plan(_ request: AdminRequest) async throws -> Response {
        try await submit(request) {
            let bytes = try bytes(request)
            let options = try options(request, filename: request.form.upload("file")?.filename)
            let type = request.form.first("type") ?? ""
            let importEntries = request.services.importEntries
            let report = try await importEntries.plan(RecordReader(bytes), type: type, options)
            return try await page(request, report, bytes, source: options.source)
        }
    }

    private static func page(
        _ request: AdminRequest, _ report: ImportReport, _ bytes: [UInt8], source: String
    ) async throws -> Response {
        let shown = try await form(request, FieldErrors())
        let type = try request.context.rules.type(named: shown.type)
        let action = shown.actions.first(where: \.isChosen)
        let archived = report.archivedCategories.map {
            (key: tr("\($0.key), archived", context: "plan"), value: $0.value)
        }
        let unknown = (report.unknownCategories.map { (key: $0.key, value: $0.value) } + archived)
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let rest = report.new + report.changed - report.changes.count
        let moreErrors = report.errors - report.problems.count
        let model = Plan(
            form: Form(
                type: shown.type, types: shown.types, source: source, city: shown.city, cities: [], citiesURL: "",
                categories: shown.categories, image: shown.image, groups: shown.groups, actions: shown.actions,
                problem: nil),
            chosen: request.form.all("category"), planned: ImportColumns.text(request.form),
            columns: try ImportColumns(bytes, as: type, request.form).menus,
            text: String(decoding: bytes, as: UTF8.self), new: report.new, changed: report.changed,
            unchanged: report.unchanged, errors: report.errors,
            changes: report.changes.map(Line.init), problems: report.problems.map(Line.init),
            moreChanges: rest > 0 ? rest : nil, moreProblems: moreErrors > 0 ? moreErrors : nil,
            unknown: unknown.isEmpty
                ? nil : unknown.prefix(30).map { "\($0.key) (\($0.value))" }.joined(separator: ", "),
            group: shown.groups.first(where: \.isChosen)?.value ?? "", action: action?.value ?? "draft",
            mayApply: report.new + report.changed > 0, actionLabel: action?.label ?? tr("Save as drafts"))
        return try request.page("packs/places/import/plan", model, title: tr("Import plan"))
    }

    static func apply(_ request: AdminRequest) async throws -> Response {
        // Nothing is imported by a plan that nobody has seen.
        if let planned = request.form.first("planned"), planned != ImportColumns.text(request.form) {
            return try await plan(request)
        }
        return try await submit(request) {
            let options = try options(request, filename: nil)
            let importEntries = request.services.importEntries
            let report = try await importEntries.apply(
                RecordReader(try bytes(request)), type: request.form.first("type") ?? "", options, by: request.actor)
            var message = tr("\(report.new) new, \(report.changed) changed, \(report.unchanged) unchanged")
            if report.errors > 0 { message += tr("; \(report.errors) rows with errors skipped") }
            if let blocked = report.problems.first(where: \.isBlocked)?.message {
                message += tr("; \(report.blocked) approved but not published: \(blocked)")
            }
            return request.redirect(
                to: AdminURL.entries(query: ["type": request.form.first("type")]),
                report.publications.last.map {
                    Flash(
                        tr("\(message). Published.", context: "plan"), link: AdminURL.publication($0),
                        linkLabel: tr("Publication \($0)", context: "plan"))
                } ?? Flash("\(message)."))
        }
    }

    /// Errors are shown above the form, which keeps all input except the file.
    private static func submit(
        _ request: AdminRequest, _ action: () async throws -> Response
    ) async throws -> Response {
        try await request.submit(at: "/file", orShow: new) {
            do {
                return try await action()
            } catch let failure as Failure {
                guard case .missing = failure else { throw failure }
                throw Failure.invalid(FieldErrors("/file", "missing", failure.sentence))
            }
        }
    }
}
