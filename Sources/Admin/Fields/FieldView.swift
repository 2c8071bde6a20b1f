// One field of a content as the app shows it; untrusted text is sanitized or escaped.
import Domain
import Localization
import Markup

/// The model of `partial/values.html`. At most one kind of value is set.
struct FieldView: Encodable, Sendable {
    struct Image: Encodable, Sendable {
        let url: String
        let alt: String
    }

    let label: String
    /// What sanitizing removed, as a sentence.
    let note: String?
    /// Why the value is suspicious (S39, S40).
    private(set) var warning: String?
    private(set) var html: SafeHTML?
    private(set) var text: String?
    private(set) var link: String?
    /// The displayed form of the link, which makes a deceptive URL visible.
    private(set) var linkText: String?
    private(set) var image: Image?
    private(set) var code: String?
    private(set) var rows: [[FieldView]]?

    init(_ field: Field, _ value: JSONValue, titles: EntryTitles, note: String? = nil) {
        label = field.label
        self.note = note
        let texts = field.formTexts(of: value)
        let plain = texts.filter { !$0.isEmpty }.joined(separator: "\n")
        switch field.type {
        case .richText:
            html = (try? SafeHTML(sanitizing: plain))?.withMediaURL(AdminURL.mediaFiles)
            if html == nil { text = plain }
            warning = SpoofCheck(text: plain).reason
        case .markdown:
            html = (try? Markdown.html(plain))?.withMediaURL(AdminURL.mediaFiles)
            if html == nil { text = plain }
            warning = SpoofCheck(text: plain).reason
        case .url: show(link: plain)
        case .image:
            image = Image(url: Self.url(of: value), alt: value["alt"]?.stringValue ?? "")
            warning = value["url"]?.stringValue.flatMap { SpoofCheck(url: $0).reason }
        case .file: show(link: texts.first ?? "")
        case .json: code = plain
        case .path:
            let path = try? RoutePath(reading: value)
            text =
                path.map { tr("\($0.points.count) points, \(DistanceText.length($0.length))", context: "image") }
                ?? plain
        case .boolean: text = value == .bool(true) ? tr("Yes", context: "image") : tr("No", context: "image")
        case .choice: text = field.choices.first { $0.value == plain }?.label ?? plain
        case .reference, .references, .catalogItem:
            text =
                CatalogReference(value)?.label
                ?? texts.map { ID<Entry>($0).map { titles($0) } ?? $0 }.joined(separator: ", ")
        case .rows:
            rows = (value.arrayValue ?? []).map { row in
                field.fields.compactMap { inner in row[inner.name].map { FieldView(inner, $0, titles: titles) } }
            }
        case .longText: show(SpoofCheck(text: plain))
        default: show(SpoofCheck(name: plain))
        }
    }

    private mutating func show(_ check: SpoofCheck) {
        (text, warning) = (check.shown, check.reason)
    }

    private mutating func show(link url: String) {
        let check = SpoofCheck(url: url)
        (link, linkText, warning) = (url, check.shown, check.reason)
    }

    /// The URL of a file of a stored image that fits the page; a submission has only the id of the image.
    private static func url(of value: JSONValue) -> String {
        guard let id = ImageValue.media(in: value) else { return value["url"]?.stringValue ?? "" }
        let files = value["renditions"]?.arrayValue ?? []
        let file = files.first { $0["width"]?.integerValue ?? 0 >= 640 } ?? files.last
        return AdminURL.mediaFiles + (file?["path"]?.stringValue ?? "\(id)/image")
    }

    /// The public preview, and the rest that only members see: the other fields, and the full text where the preview is
    /// cut. `removed` says by field what sanitizing removed.
    static func previewAndRest(
        of content: Content, in type: ContentType, removed: [String: String] = [:], titles: EntryTitles
    ) -> (preview: [FieldView], rest: [FieldView]) {
        let guest = content.preview(in: type)
        var views: (preview: [FieldView], rest: [FieldView]) = ([], [])
        for field in type.fields {
            guard let value = content.fields[field.name] else { continue }
            let note = removed[field.name]
            if let shown = guest[field.name] {
                views.preview.append(FieldView(field, shown, titles: titles, note: note))
                if shown == value { continue }
            }
            views.rest.append(FieldView(field, value, titles: titles, note: note))
        }
        return views
    }
}
