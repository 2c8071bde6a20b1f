// The catalog search in the form of an entry: the searches, their input and the results.
import Admin
import Domain
import HTTP
import Localization
import Store

/// The model of `admin/entries/catalog-search.html`. Its inputs belong to the form of the entry, so no input is lost.
struct CatalogSearchPanel: Encodable, Sendable {
    struct Input: Encodable, Sendable {
        let id: String
        let name: String
        let label: String
        let value: String
        let inputMode: String
        let error: String?
    }

    struct Search: Encodable, Sendable {
        let label: String
        /// The value of its button: `movie.title`.
        let value: String
        let inputs: [Input]
    }

    struct Kind: Encodable, Sendable {
        let plural: String
        let source: String
        let isOpen: Bool
        let searches: [Search]
    }

    struct Add: Encodable, Sendable {
        let value: String
        let label: String
    }

    struct Item: Encodable, Sendable {
        let title: String
        /// A short description that distinguishes items with the same title.
        let summary: String
        let isChosen: Bool
        let adds: [Add]
    }

    struct Results: Encodable, Sendable {
        let heading: String
        let items: [Item]
        let hints: [String]
        /// Why the source failed.
        let problem: String?
        /// When the source returned the items.
        let fetched: Instant?
        let isEmpty: Bool
    }

    let kinds: [Kind]
    /// The URL that the form posts to.
    let action: String
    /// The search with the shown results, so that they are shown again after an item was added.
    let shown: String?
    /// The previous input of all searches, to detect in which one Enter was pressed.
    let previous: String
    let results: Results?

    /// The name of the search buttons.
    static let button = "search"
    private static let last = "search.shown"

    /// Nil for content types without catalog items. Runs the search when its button was pressed.
    init?(
        _ request: AdminRequest, _ type: ContentType, _ services: CatalogServices, action: String, chosen: Set<String>
    ) async throws {
        let targets = CatalogItemEdit.targets(of: type)
        guard !targets.isEmpty else { return nil }
        self.action = action
        let rules = services.rules
        let wanted = Self.requested(request.form) ?? request.form.first(Self.last)
        previous = Self.inputs(request.form).canonicalText
        var errors = FieldErrors()
        var result: CatalogSearchResult?
        if let query = wanted.flatMap({ Self.query($0, request.form, rules) }) {
            do {
                result = try await services.search(query, by: request.actor)
            } catch Failure.invalid(let found) {
                errors = found
            }
        }
        kinds = rules.kinds.all.map { kind in
            Kind(
                plural: kind.plural, source: rules.label(of: kind.source),
                isOpen: wanted?.hasPrefix(kind.name + ".") == true,
                searches: rules.searches(of: kind).map { search in
                    let value = "\(kind.name).\(search.name)"
                    return Search(
                        label: search.label, value: value,
                        inputs: search.fields.map { field in
                            Self.input(field, value, request.form, value == wanted ? errors : FieldErrors())
                        })
                })
        }
        shown = result == nil ? nil : wanted
        results = result.map { Self.results($0, targets, chosen) }
    }

    /// The requested search, by its button or by Enter in one of its inputs; then nothing is saved. Enter presses the
    /// form's first button; the changed input tells which search it belongs to.
    static func requested(_ form: FormFields) -> String? {
        if let search = form.first(button) { return search }
        guard form.first("action") == "enter",
            let before = try? JSONValue(parsing: Array((form.first(before) ?? "").utf8))
        else { return nil }
        let now = inputs(form).objectValue ?? [:]
        let typed = now.keys.sorted().first { now[$0] != before[$0] }
        // `search.movie.title.text` belongs to `movie.title`.
        return typed.map { $0.split(separator: ".").dropFirst().dropLast().joined(separator: ".") }
    }

    private static let before = "search.previous"

    private static func inputs(_ form: FormFields) -> JSONValue {
        let typed = form.fields.filter {
            $0.name.hasPrefix("search.") && $0.name != last && $0.name != before && !$0.value.isEmpty
        }
        return .object(Dictionary(typed.map { ($0.name, .string($0.value)) }) { first, _ in first })
    }

    private static func query(_ wanted: String, _ form: FormFields, _ rules: CatalogRules) -> CatalogQuery? {
        let parts = wanted.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = rules.kinds[parts[0]],
            let search = rules.searches(of: kind).first(where: { $0.name == parts[1] })
        else { return nil }
        let values = search.fields.map { ($0.name, form.first("search.\(wanted).\($0.name)") ?? "") }
        return CatalogQuery(
            kind: kind.name, search: search.name, values: Dictionary(values) { first, _ in first })
    }

    private static func input(
        _ field: CatalogSearch.Field, _ search: String, _ form: FormFields, _ errors: FieldErrors
    ) -> Input {
        let name = "search.\(search).\(field.name)"
        let inputMode: String
        switch field.rule {
        case .latitude, .longitude: inputMode = "decimal"
        case .page: inputMode = "numeric"
        case .text, .language: inputMode = "text"
        }
        return Input(
            id: name.replacing(".", with: "-"), name: name,
            label: field.isRequired ? field.label : tr("\(field.label) (optional)", context: "results"),
            value: form.first(name) ?? "",
            inputMode: inputMode, error: errors.messages(at: "/search/\(field.name)").first)
    }

    private static func results(
        _ result: CatalogSearchResult, _ targets: [CatalogItemEdit.Target], _ chosen: Set<String>
    ) -> Results {
        let values = result.query.values.filter { $0.key != "language" && $0.key != "page" }
        let text = values.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
        return Results(
            heading: text.isEmpty ? result.kind.plural : "\(result.kind.plural): \(text)",
            items: result.items.map { item in
                Item(
                    title: item.title, summary: summary(item.details), isChosen: chosen.contains(item.id.description),
                    adds: targets.map { target in
                        Add(
                            value: "\(target.field) \(item.id)",
                            label: target.isList ? tr("Add", context: "results") : tr("Use as \(target.label)"))
                    })
            },
            hints: result.hints, problem: result.problem, fetched: result.fetchedAt.map { Instant($0) },
            isEmpty: result.items.isEmpty && result.hints.isEmpty)
    }

    private static let summaryFields = [
        "artist", "album", "authors", "original_title", "released", "first_aired", "published", "address", "city",
        "cuisines", "price",
    ]

    private static func summary(_ details: JSONValue) -> String {
        summaryFields.compactMap { name -> String? in
            switch details[name] {
            case .string(let text): text == details["title"]?.stringValue ? nil : text
            case .array(let values):
                values.isEmpty ? nil : values.prefix(3).compactMap(\.stringValue).joined(separator: ", ")
            default: nil
            }
        }.prefix(3).joined(separator: " · ")
    }
}
