// The texts of apps, mails and website: two languages side by side, with missing translations, editable in place.
import Domain
import HTTP
import Localization
import Store

enum TextPages {
    private struct Language: Encodable, Sendable {
        let tag: String
        /// Such as `German`.
        let name: String
        /// How many texts readers miss; nil for none.
        let missing: Int?
        let isChosen: Bool
    }

    private struct Cell: Encodable, Sendable {
        let id: ID<Entry>
        let control: String
        /// The form's action, with the filters of the page.
        let action: String
        let language: String
        let languageName: String
        let title: String
        let value: String
        /// The value that was there when somebody began to type.
        let was: String
        let typed: String
        let isEmpty: Bool
        /// Whether readers miss it, as all counts of missing texts have it: the text is published, but not in this language.
        let isMissing: Bool
        let isOpen: Bool
        let problems: [String]
        let autosave: Autosaved?
    }

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let key: String
        let placeholders: String
        let status: ValueForm.Status?
        let cells: [Cell]
    }

    private struct Group: Encodable, Sendable {
        let name: String
        let title: String
        let lines: [Line]
    }

    private struct List: Encodable, Sendable {
        let groups: [Group]
        let hasSeveral: Bool
        let sections: [Option]
        let languages: [Language]
        let shown: [Language]
        let q: String
        let onlyMissing: Bool
        let isFiltered: Bool
        let filterCount: Int?
        let isInvalid: Bool
        let maySave: Bool
        let mayCreate: Bool
        let mayPublish: Bool
    }

    static func list(
        _ request: AdminRequest, refused: ValueForm.Refused? = nil, language: String? = nil
    ) async throws -> Response {
        var request = request
        let texts = try await request.database.entries.choices(.text)
        let settings = try await request.database.entries.choices(.setting)
        let tags = languages(texts, settings)
        let first = tags.first ?? "en"
        let chosen = LanguageTag(language ?? request.text("locale") ?? "")?.text ?? tags.dropFirst().first ?? first
        let (section, search) = (request.text("section") ?? "", request.text("q") ?? "")
        let onlyMissing = request.query.first("missing") == "1"
        let counts = request.missingTexts
        func named(_ tag: String) -> Language {
            Language(
                tag: tag, name: LanguageName.of(tag), missing: counts.first { $0.language == tag }?.count,
                isChosen: tag == chosen)
        }
        let shown = (chosen == first ? [first] : [first, chosen]).map(named)
        var missing: [String: Set<ID<Entry>>] = [:]
        for column in shown { missing[column.tag] = try await request.database.missingTexts.ids(in: column.tag) }
        let found = texts.filter { text in
            (section.isEmpty || text.content["section"]?.stringValue == section)
                && (!onlyMissing || missing[chosen, default: []].contains(text.id))
                && (search.isEmpty || matches(text, search.lowercased()))
        }
        let query = query(request)
        let maySave = request.actor.may(.suggest, on: "text")
        let autosaves = try await ValueForm.Autosaves.load(&request, maySave ? forms(of: found, shown) : [])
        func cells(_ text: EntryChoice) -> [Cell] {
            shown.map { column in
                let isRefused = refused?.entry == text.id && language == column.tag
                return cell(
                    text, column, isMissing: missing[column.tag, default: []].contains(text.id), query, autosaves,
                    isRefused ? refused : nil)
            }
        }
        let groups: [Group] = sections(request).compactMap { name, label in
            let lines = found.filter { $0.content["section"]?.stringValue == name }
            return lines.isEmpty ? nil : Group(name: name, title: label, lines: lines.map { line($0, cells($0)) })
        }
        let model = List(
            groups: groups, hasSeveral: groups.count > 1,
            sections: [Option(value: "", label: tr("All", context: "list"), isChosen: section.isEmpty)]
                + sections(request).map { Option(value: $0.0, label: $0.1, isChosen: $0.0 == section) },
            languages: tags.map(named), shown: shown, q: search, onlyMissing: onlyMissing,
            isFiltered: onlyMissing || !section.isEmpty || !search.isEmpty,
            filterCount: FilterCount.of(onlyMissing, !section.isEmpty), isInvalid: refused != nil,
            maySave: maySave, mayCreate: request.actor.may(.edit, on: "text"),
            mayPublish: request.actor.may(.publish, on: "text"))
        return try request.page(
            "admin/texts/list", model, title: tr("Texts", context: "list"),
            status: refused == nil ? 200 : 422)
    }

    /// The sections of the content type.
    private static func sections(_ request: AdminRequest) -> [(String, String)] {
        request.context.rules.types["text"]?.field("section")?.choices.map { ($0.value, $0.label) } ?? []
    }

    /// The offered languages, then all others that have a text.
    private static func languages(_ texts: [EntryChoice], _ settings: [EntryChoice]) -> [String] {
        let used = texts.flatMap { $0.content["values"]?.arrayValue ?? [] }.compactMap { $0["locale"]?.stringValue }
        var tags = SettingRule.lines(
            settings.first { $0.content["key"] == "locales.offered" }?.content["value"]?.stringValue ?? "")
        for tag in Set(used).sorted() where !tags.contains(tag) { tags.append(tag) }
        return tags
    }

    private static func value(of text: EntryChoice, in tag: String) -> String? {
        (text.content["values"]?.arrayValue ?? []).first { $0["locale"]?.stringValue == tag }?["value"]?.stringValue
    }

    private static func matches(_ text: EntryChoice, _ search: String) -> Bool {
        let values = (text.content["values"]?.arrayValue ?? []).compactMap { $0["value"]?.stringValue }
        return ([text.title, text.content["key"]?.stringValue ?? ""] + values).contains {
            $0.lowercased().contains(search)
        }
    }

    private static func line(_ text: EntryChoice, _ cells: [Cell]) -> Line {
        let names = (text.content["placeholders"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        return Line(
            id: text.id, title: text.title, key: text.content["key"]?.stringValue ?? "",
            placeholders: names.map { "{\($0)}" }.joined(separator: " "), status: ValueForm.Status(text), cells: cells)
    }

    private static func cell(
        _ text: EntryChoice, _ language: Language, isMissing: Bool, _ query: String, _ autosaves: ValueForm.Autosaves,
        _ refused: ValueForm.Refused?
    ) -> Cell {
        let tag = language.tag
        let value = value(of: text, in: tag)
        let shown = autosaves.shown(form(text.id, tag), value ?? "", refused: refused)
        return Cell(
            id: text.id, control: "value-\(text.id)-\(tag)", action: AdminURL.text(text.id, tag) + query, language: tag,
            languageName: language.name, title: text.title, value: value ?? "", was: shown.was,
            typed: shown.text, isEmpty: value == nil, isMissing: isMissing,
            isOpen: shown.isRestored || !shown.messages.isEmpty, problems: shown.messages, autosave: shown.autosave)
    }

    /// The URL that opens the form of a text, whatever filters the page has.
    private static func form(_ id: ID<Entry>, _ tag: String) -> String {
        AdminURL.texts(query: ["locale": tag]) + "#value-\(id)-\(tag)"
    }

    private static func forms(
        of texts: [EntryChoice], _ languages: [Language]
    ) -> [(form: String, title: String)] {
        texts.flatMap { text in
            languages.map { language in
                (
                    form: form(text.id, language.tag),
                    title: tr("Text: \(text.title) (\(language.name))", context: "autosave")
                )
            }
        }
    }

    private static func query(_ request: AdminRequest) -> String {
        request.query.isEmpty ? "" : "?" + request.query.urlEncoded
    }

    static func save(_ request: AdminRequest) async throws -> Response {
        guard let tag = LanguageTag(request.parameters["locale"] ?? "") else { throw Failure.missing("page") }
        return try await ValueForm.save(
            request, locale: tag, back: AdminURL.texts() + query(request), heading: tr("Edit text")
        ) {
            try await list(request, refused: $0, language: tag.text)
        }
    }
}
