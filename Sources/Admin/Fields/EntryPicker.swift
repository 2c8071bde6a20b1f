// A control for references to entries that are too many for a list: the selected entries, and those found by a search.
import Domain
import HTTP
import Localization
import Store

/// Works without a script: the button searches and shows the form again, with what it found as further boxes.
struct EntryPicker: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let id: String
        let value: String
        var label: String
        /// Such as "Not published".
        var note: String?
        var thumbnail: ThumbnailView?
        let isChosen: Bool
    }

    /// The name of the buttons that search; their value is the key of the input.
    static let button = "entries"
    private static let found = 20

    /// Whether several can be selected.
    let isList: Bool
    let key: String
    /// The name of the search's input.
    let find: String
    /// Asked for `application/json` while somebody types; nil for people without an account.
    private(set) var url: String?
    private(set) var query = ""
    private(set) var lines: [Line]
    let hasChosen: Bool
    /// A search found nothing, or more than are shown.
    private(set) var foundNone = false
    private(set) var foundMore = false
    private let types: [String]

    private enum CodingKeys: CodingKey {
        case isList, key, find, url, query, lines, hasChosen, foundNone, foundMore
    }

    init(_ field: Field, at input: FieldInput, chosen: [String]) {
        isList = field.type == .references
        key = input.key
        find = "find." + input.key
        types = field.targets
        lines = chosen.filter { !$0.isEmpty }.enumerated().map { number, value in
            Line(id: "\(input.id)-\(number)", value: value, label: value, isChosen: true)
        }
        hasChosen = !lines.isEmpty
    }

    /// The key of the input whose search was requested, by its button, or by Enter in the search's input, which presses
    /// the form's first button.
    static func requested(_ form: FormFields) -> String? {
        if let button = form.first(button) { return button }
        guard form.first("action") == "enter" else { return nil }
        return form.fields.first { $0.name.hasPrefix("find.") && !PlainText.isBlank($0.value) }
            .map { String($0.name.dropFirst("find.".count)) }
    }

    /// Loads the titles of what is selected in a form, what the requested search finds, and their images: three queries for a
    /// form at most. `onlyLive` is for contributors, who see published entries only, and no images of newer versions.
    static func load(_ form: FieldForm, _ request: AdminRequest, onlyLive: Bool = false) async throws -> FieldForm {
        var pickers: [EntryPicker] = []
        form.forEach { if let picker = $0.picker { pickers.append(picker) } }
        if pickers.isEmpty { return form }
        let ids = pickers.flatMap { $0.lines.compactMap { ID<Entry>($0.value) } }
        let entries = request.database.entries
        let chosen = try await entries.matches(ids, onlyLive: onlyLive)
        let titles = Dictionary(chosen.map { ($0.id.description, $0) }) { first, _ in first }
        let searched = requested(request.form).flatMap { key in pickers.first { $0.key == key } }
        let query = searched.map { PlainText.singleLine(request.form.first($0.find) ?? "") } ?? ""
        var found: [EntryMatch] = []
        if let searched {
            found = try await entries.matches(query, types: searched.types, onlyLive: onlyLive, limit: Self.found + 1)
        }
        let images = onlyLive ? [:] : try await request.thumbnails(of: (chosen + found).map(\.id))
        var form = form
        form.update { control in
            control.picker?.name(titles)
            if !onlyLive { control.picker?.offerSearch() }
            if let searched, control.picker?.key == searched.key { control.picker?.add(found, to: control.id, query) }
            control.picker?.show(images)
        }
        return form
    }

    private mutating func show(_ images: [ID<Entry>: ThumbnailView]) {
        for index in lines.indices { lines[index].thumbnail = ID<Entry>(lines[index].value).flatMap { images[$0] } }
    }

    private mutating func offerSearch() {
        url = AdminURL.entryChoices(query: ["types": types.joined(separator: ",")])
    }

    private mutating func name(_ titles: [String: EntryMatch]) {
        for index in lines.indices {
            if let entry = titles[lines[index].value] {
                (lines[index].label, lines[index].note) = (EntryTitles.shown(entry.title), Self.note(entry))
            } else {
                lines[index].note = tr("Not found", context: "picker")
            }
        }
    }

    private mutating func add(_ found: [EntryMatch], to id: String, _ query: String) {
        self.query = query
        (foundNone, foundMore) = (found.isEmpty, found.count > Self.found)
        let known = Set(lines.map(\.value))
        lines += found.prefix(Self.found).filter { !known.contains($0.id.description) }.map { entry in
            Line(
                id: "\(id)-\(entry.id)", value: entry.id.description, label: EntryTitles.shown(entry.title),
                note: Self.note(entry), isChosen: false)
        }
    }

    static func note(_ entry: EntryMatch) -> String? { entry.isLive ? nil : tr("Not published") }

    private static func url(of entry: EntryMatch, on site: String?) -> String? {
        guard let site, let slug = entry.slug else { return nil }
        return EntryURL.onSite(entry.id, slug: slug, site)
    }

    // MARK: While somebody types

    private struct JSON: Encodable {
        struct Line: Encodable {
            let value: String
            let label: String
            let note: String?
            let thumbnail: ThumbnailView?
            /// On the site that readers use; nil without one, and for an entry that isn't published.
            let url: String?
        }

        let entries: [Line]
        let isMore: Bool
    }

    /// `types` names the content types, `q` the beginnings of words.
    static func choices(_ request: AdminRequest) async throws -> Response {
        let types = (request.text("types") ?? "").split(separator: ",").map(String.init)
        let site = request.context.itemURL
        let found = try await request.database.entries.matches(
            request.text("q") ?? "", types: types, onlyLive: false, limit: Self.found + 1)
        let images = try await request.thumbnails(of: found.prefix(Self.found).map(\.id))
        return try MediaJSON.response(
            JSON(
                entries: found.prefix(Self.found).map { entry in
                    JSON.Line(
                        value: entry.id.description, label: EntryTitles.shown(entry.title), note: note(entry),
                        thumbnail: images[entry.id],
                        url: entry.isLive ? url(of: entry, on: site) : nil)
                }, isMore: found.count > Self.found))
    }
}
