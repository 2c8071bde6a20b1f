// One field of a content as readers will see it; what a stranger sent is cleaned or escaped.
import Domain
import Markup

/// The model of `partial/values.html`. At most one of the ways of showing is set.
struct FieldView: Encodable, Sendable {
    struct Image: Encodable, Sendable {
        let address: String
        let alt: String
    }

    let label: String
    /// A word about it, such as "cleaned".
    let note: String?
    /// Why to look twice at it (S39, S40).
    private(set) var warning: String?
    private(set) var html: SafeHTML?
    private(set) var text: String?
    private(set) var link: String?
    /// The address as it is shown, where the one that is followed could be taken for another.
    private(set) var linkText: String?
    private(set) var image: Image?
    private(set) var code: String?
    private(set) var rows: [[FieldView]]?

    init(_ field: Field, _ value: JSONValue, names: EntryNames, note: String? = nil) {
        label = field.label
        self.note = note
        let texts = field.formTexts(of: value)
        let plain = texts.filter { !$0.isEmpty }.joined(separator: "\n")
        switch field.type {
        case .richText:
            html = try? SafeHTML(sanitizing: plain)
            if html == nil { text = plain }
            warning = SpoofCheck(text: plain).reason
        case .markdown:
            html = try? Markdown.html(plain)
            if html == nil { text = plain }
            warning = SpoofCheck(text: plain).reason
        case .url: show(link: plain)
        case .image:
            image = Image(address: Self.address(of: value), alt: value["alt"]?.stringValue ?? "")
            warning = value["url"]?.stringValue.flatMap { SpoofCheck(address: $0).reason }
        case .file: show(link: texts.first ?? "")
        case .json: code = plain
        case .path:
            let path = try? RoutePath(reading: value)
            text = path.map { "\($0.points.count) points, \(DistanceText.length($0.length))" } ?? plain
        case .boolean: text = value == .bool(true) ? "Yes" : "No"
        case .choice: text = field.choices.first { $0.value == plain }?.label ?? plain
        case .reference, .references, .catalogItem:
            text = texts.map { ID<Entry>($0).map { names($0) } ?? $0 }.joined(separator: ", ")
        case .rows:
            rows = (value.arrayValue ?? []).map { row in
                field.fields.compactMap { inner in row[inner.name].map { FieldView(inner, $0, names: names) } }
            }
        case .longText: show(SpoofCheck(text: plain))
        default: show(SpoofCheck(name: plain))
        }
    }

    private mutating func show(_ look: SpoofCheck) {
        (text, warning) = (look.shown, look.reason)
    }

    private mutating func show(link address: String) {
        let look = SpoofCheck(address: address)
        (link, linkText, warning) = (address, look.shown, look.reason)
    }

    /// Of a stored image, a file that suits the page; a submission names no files, but the image.
    private static func address(of value: JSONValue) -> String {
        guard let id = ImageValue.media(in: value) else { return value["url"]?.stringValue ?? "" }
        let files = value["renditions"]?.arrayValue ?? []
        let file = files.first { $0["width"]?.integerValue ?? 0 >= 640 } ?? files.last
        return "/media/" + (file?["path"]?.stringValue ?? "\(id)/image")
    }

    /// What anyone may see, and apart from it what only people with an account see: the other fields, and the long
    /// texts whose preview is cut. `received` are the values before they were cleaned.
    static func previewAndRest(
        of content: Content, in type: ContentType, received: [String: JSONValue]? = nil, names: EntryNames
    ) -> (preview: [FieldView], rest: [FieldView]) {
        let guest = content.preview(in: type)
        var views: (preview: [FieldView], rest: [FieldView]) = ([], [])
        for field in type.fields {
            guard let value = content.fields[field.name] else { continue }
            let isCleaned = field.type == .richText && received != nil && received?[field.name] != value
            let note = isCleaned ? "cleaned" : nil
            if let shown = guest[field.name] {
                views.preview.append(FieldView(field, shown, names: names, note: note))
                if shown == value { continue }
            }
            views.rest.append(FieldView(field, value, names: names, note: note))
        }
        return views
    }
}
