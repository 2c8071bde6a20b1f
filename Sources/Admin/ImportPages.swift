// Imports of places and cities: a file is chosen, the plan is looked at, then it is carried out.
import Domain
import Editorial
import HTTP
import Store

enum ImportPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/import", access: .may(.edit), handler: new),
        AdminEndpoint(method: "POST", pattern: "/import/plan", access: .may(.edit), handler: plan),
        AdminEndpoint(method: "POST", pattern: "/import", access: .may(.edit), handler: apply),
    ]

    /// Larger files are for the command line: the file travels with the plan, so that nothing is kept here.
    private static let mostBytes = 1 << 20

    private struct Option: Encodable, Sendable {
        let value: String
        let label: String
        let isChosen: Bool
    }

    /// The form as it was filled in.
    private struct Form: Encodable, Sendable {
        let type: String
        let types: [Option]
        let source: String
        let city: String
        let category: String
        let image: String
        let map: String
        let groups: [Option]
        let actions: [Option]
        let problem: ErrorSummary?
    }

    private struct Line: Encodable, Sendable {
        let place: String
        let title: String
        let state: String
        let tone: String
        let words: String

        init(_ line: ImportLine) {
            place = line.place
            title = line.title
            state = line.state.rawValue
            tone =
                switch line.state {
                case .new: "ok"
                case .changed: "wait"
                case .error: "bad"
                case .same: ""
                }
            words = (line.fields + [line.message].compactMap { $0 }).joined(separator: ", ")
        }
    }

    private struct Plan: Encodable, Sendable {
        let form: Form
        /// The file itself, to be sent back.
        let text: String
        let new: Int
        let changed: Int
        let same: Int
        let errors: Int
        let changes: [Line]
        let problems: [Line]
        let moreChanges: Int?
        let moreProblems: Int?
        let unknown: String?
        let group: String
        let action: String
        let mayApply: Bool
        /// What the button says.
        let verb: String
    }

    private static func new(_ request: AdminRequest) async throws -> Response {
        try request.page("admin/import/new", try await form(request, FieldErrors()), title: "Import")
    }

    private static func form(_ request: AdminRequest, _ errors: FieldErrors) async throws -> Form {
        let types = request.context.rules.types.all.filter { $0.kind == .place || $0.kind == .city }
        let type = request.text("type") ?? types.first { $0.kind == .place }?.name ?? ""
        let groups = try await request.database.imports.names(of: .categoryGroup)
        let group = request.text("group") ?? ""
        let action = request.text("go") ?? "draft"
        let all = [("draft", "Leave drafts"), ("approve", "Approve"), ("now", "Approve and publish now")]
        let actions = all.filter { value, _ in
            value == "draft" || request.actor.may(.approve) && (value == "approve" || request.actor.may(.publish))
        }
        return Form(
            type: type, types: types.map { Option(value: $0.name, label: $0.plural, isChosen: $0.name == type) },
            source: request.text("source") ?? "", city: request.text("city") ?? "",
            category: request.text("category") ?? "", image: request.text("image") ?? "",
            map: request.text("map") ?? "",
            groups: groups.map { Option(value: $0.slug, label: $0.title, isChosen: $0.slug == group) },
            actions: actions.map { Option(value: $0.0, label: $0.1, isChosen: $0.0 == action) },
            problem: ErrorSummary(errors))
    }

    /// What the form asks for; the file's name stands for a source that is not said.
    private static func options(_ request: AdminRequest, filename: String?) throws(Failure) -> ImportOptions {
        guard let source = request.text("source") ?? filename.map({ PlainText.singleLine($0) }), !source.isEmpty else {
            throw .invalid(FieldErrors("/source", "required", "Say where the list comes from."))
        }
        guard source.count <= 200 else {
            throw .invalid(FieldErrors("/source", "too_long", "At most 200 characters are allowed."))
        }
        var options = ImportOptions(source: source)
        options.city = request.text("city")
        options.categories = (request.text("category") ?? "").split(separator: ",").map {
            PlainText.singleLine(String($0))
        }
        options.image = request.text("image")
        options.makeCategoriesIn = request.text("group")
        for pair in (request.text("map") ?? "").split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { PlainText.singleLine(String($0)) }
            guard parts.count == 2 else {
                throw .invalid(FieldErrors("/map", "format", "Write field=column, with commas between several."))
            }
            options.columns[parts[0]] = parts[1]
        }
        switch request.form.first("go") {
        case "now": options.publishTiming = .now
        case "approve": options.publishTiming = .approveOnly
        default: options.publishTiming = nil
        }
        return options
    }

    private static func bytes(_ request: AdminRequest) throws(Failure) -> [UInt8] {
        let bytes = request.form.upload("file")?.bytes ?? Array((request.form.first("text") ?? "").utf8)
        if bytes.isEmpty { throw .invalid(FieldErrors("/file", "required", "Choose a file that is not empty.")) }
        if bytes.count > mostBytes {
            let message =
                "This file has \(bytes.count / 1024) KiB; here at most \(mostBytes / 1024) KiB are taken. "
                + "The command \"vitrine import\" takes any size."
            throw .invalid(FieldErrors("/file", "too_large", message))
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .invalid(FieldErrors("/file", "format", "This file is not text in UTF-8."))
        }
        return bytes
    }

    private static func plan(_ request: AdminRequest) async throws -> Response {
        try await keeping(request) {
            let bytes = try bytes(request)
            let options = try options(request, filename: request.form.upload("file")?.filename)
            let type = request.form.first("type") ?? ""
            let work = ImportEntries(database: request.database, rules: request.context.rules)
            let report = try await work.plan(RecordReader(bytes), type: type, options)
            return try await page(request, report, String(decoding: bytes, as: UTF8.self), source: options.source)
        }
    }

    private static func page(
        _ request: AdminRequest, _ report: ImportReport, _ text: String, source: String
    ) async throws -> Response {
        let shown = try await form(request, FieldErrors())
        let action = shown.actions.first(where: \.isChosen)
        let unknown = report.unknownCategories.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let rest = report.new + report.changed - report.changes.count
        let worse = report.errors - report.problems.count
        let model = Plan(
            form: Form(
                type: shown.type, types: shown.types, source: source, city: shown.city, category: shown.category,
                image: shown.image, map: shown.map, groups: shown.groups, actions: shown.actions, problem: nil),
            text: text, new: report.new, changed: report.changed, same: report.same, errors: report.errors,
            changes: report.changes.map(Line.init), problems: report.problems.map(Line.init),
            moreChanges: rest > 0 ? rest : nil, moreProblems: worse > 0 ? worse : nil,
            unknown: unknown.isEmpty
                ? nil : unknown.prefix(30).map { "\($0.key) (\($0.value))" }.joined(separator: ", "),
            group: shown.groups.first(where: \.isChosen)?.value ?? "", action: action?.value ?? "draft",
            mayApply: report.new + report.changed > 0, verb: action?.label ?? "Leave drafts")
        return try request.page("admin/import/plan", model, title: "Plan of an import")
    }

    private static func apply(_ request: AdminRequest) async throws -> Response {
        try await keeping(request) {
            let options = try options(request, filename: nil)
            let work = ImportEntries(database: request.database, rules: request.context.rules)
            let report = try await work.apply(
                RecordReader(try bytes(request)), type: request.form.first("type") ?? "", options, by: request.actor)
            var sentence = "\(report.new) new, \(report.changed) changed, \(report.same) the same"
            if report.errors > 0 { sentence += "; \(report.errors) rows with errors were left out" }
            return request.redirect(
                to: "/entries?type=\(request.form.first("type") ?? "")",
                report.publications.last.map {
                    Flash("\(sentence). Readers see it.", link: "/publications/\($0)", linkLabel: "Publication \($0)")
                } ?? Flash("\(sentence)."))
        }
    }

    /// What was refused is told above the form, which keeps all but the file.
    private static func keeping(
        _ request: AdminRequest, _ body: () async throws -> Response
    ) async throws -> Response {
        var errors = FieldErrors()
        do {
            return try await body()
        } catch let failure as Failure {
            switch failure {
            case .invalid(let found): errors = found
            case .missing, .refused: errors = FieldErrors("/file", "refused", failure.sentence)
            default: throw failure
            }
        }
        return try request.page(
            "admin/import/new", try await form(request, errors), title: "Error: Import", status: 422)
    }
}
