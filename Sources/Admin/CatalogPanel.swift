// Looking things up beside the form that names them: what can be asked, what was typed, what was found.
import Catalogs
import Domain
import HTTP
import Store

/// The model of `admin/entries/catalog-search.html`. Its inputs belong to the form of the entry, so nothing typed there is lost.
struct CatalogPanel: Encodable, Sendable {
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
        /// What its button sends: `movie.title`.
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
        /// A few words that tell it from its namesakes.
        let observations: String
        let isChosen: Bool
        let adds: [Add]
    }

    struct Finding: Encodable, Sendable {
        let heading: String
        let items: [Item]
        let hints: [String]
        /// Why the source gave nothing.
        let problem: String?
        /// When the source said what is shown.
        let fetched: Instant?
        /// The source was not asked: its last answer is fresh.
        let isRemembered: Bool
        let isEmpty: Bool
    }

    let kinds: [Kind]
    /// Where the form is sent.
    let action: String
    /// The search whose answer is shown, so that it is shown again after an item was added.
    let shown: String?
    /// What stands in the inputs of all searches, to notice where somebody pressed Enter.
    let was: String
    let finding: Finding?

    /// The name of the buttons that look something up.
    static let button = "lookup"
    private static let last = "lookup.shown"

    /// Nil for content types that name nothing of a catalog. Asks the source when a button asked for it.
    init?(_ request: AdminRequest, _ type: ContentType, action: String, chosen: Set<String>) async throws {
        let takers = CatalogPick.takers(of: type)
        guard !takers.isEmpty else { return nil }
        self.action = action
        let rules = request.context.catalogs.rules
        let wanted = Self.asked(request.form) ?? request.form.first(Self.last)
        was = Self.inputs(request.form).canonicalText
        var errors = FieldErrors()
        var finding: CatalogFinding?
        if let question = wanted.flatMap({ Self.question($0, request.form, rules) }) {
            do {
                finding = try await request.context.catalogs.lookUp(question, by: request.actor)
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
        shown = finding == nil ? nil : wanted
        self.finding = finding.map { Self.shown($0, takers, chosen, rules) }
    }

    /// The search that was asked for, by its button or by Enter in one of its inputs: then nothing is saved. Enter presses
    /// the form's first button, which says so; where it was pressed shows by what was typed since.
    static func asked(_ form: FormFields) -> String? {
        if let search = form.first(button) { return search }
        guard form.first("action") == "enter",
            let before = try? JSONValue(parsing: Array((form.first(before) ?? "").utf8))
        else { return nil }
        let now = inputs(form).objectValue ?? [:]
        let typed = now.keys.sorted().first { now[$0] != before[$0] }
        // `lookup.movie.title.text` belongs to `movie.title`.
        return typed.map { $0.split(separator: ".").dropFirst().dropLast().joined(separator: ".") }
    }

    private static let before = "lookup.was"

    private static func inputs(_ form: FormFields) -> JSONValue {
        let typed = form.fields.filter {
            $0.name.hasPrefix("lookup.") && $0.name != last && $0.name != before && !$0.value.isEmpty
        }
        return .object(Dictionary(typed.map { ($0.name, .string($0.value)) }) { first, _ in first })
    }

    private static func question(_ wanted: String, _ form: FormFields, _ rules: CatalogRules) -> CatalogQuery? {
        let parts = wanted.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = rules.kinds[parts[0]],
            let search = rules.searches(of: kind).first(where: { $0.name == parts[1] })
        else { return nil }
        let values = search.fields.map { ($0.name, form.first("lookup.\(wanted).\($0.name)") ?? "") }
        return CatalogQuery(
            kind: kind.name, search: search.name, values: Dictionary(values) { first, _ in first })
    }

    private static func input(
        _ field: CatalogSearch.Field, _ search: String, _ form: FormFields, _ errors: FieldErrors
    ) -> Input {
        let name = "lookup.\(search).\(field.name)"
        let inputMode: String
        switch field.rule {
        case .latitude, .longitude: inputMode = "decimal"
        case .page: inputMode = "numeric"
        case .words, .language: inputMode = "text"
        }
        return Input(
            id: name.replacing(".", with: "-"), name: name,
            label: field.isNeeded ? field.label : "\(field.label) (optional)", value: form.first(name) ?? "",
            inputMode: inputMode, error: errors.messages(at: "/lookup/\(field.name)").first)
    }

    private static func shown(
        _ finding: CatalogFinding, _ takers: [CatalogPick.Taker], _ chosen: Set<String>, _ rules: CatalogRules
    ) -> Finding {
        let asked = finding.question.values.filter { $0.key != "language" && $0.key != "page" }
        let words = asked.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
        return Finding(
            heading: words.isEmpty ? finding.kind.plural : "\(finding.kind.plural): \(words)",
            items: finding.items.map { item in
                Item(
                    title: item.title, observations: observations(item.details), isChosen: chosen.contains(item.id.description),
                    adds: takers.map { taker in
                        Add(
                            value: "\(taker.field) \(item.id)",
                            label: taker.isList ? "Add" : "Make it the \(taker.label)")
                    })
            },
            hints: finding.hints, problem: finding.problem, fetched: finding.fetchedAt.map { Instant($0) },
            isRemembered: finding.standing == .remembered, isEmpty: finding.items.isEmpty && finding.hints.isEmpty)
    }

    private static let telling = [
        "artist", "album", "authors", "original_title", "released", "first_aired", "published", "address", "city",
        "cuisines", "price",
    ]

    private static func observations(_ details: JSONValue) -> String {
        telling.compactMap { name -> String? in
            switch details[name] {
            case .string(let text): text == details["title"]?.stringValue ? nil : text
            case .array(let values):
                values.isEmpty ? nil : values.prefix(3).compactMap(\.stringValue).joined(separator: ", ")
            default: nil
            }
        }.prefix(3).joined(separator: " · ")
    }
}
