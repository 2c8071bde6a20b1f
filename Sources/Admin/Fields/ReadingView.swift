// The content of a submission or an entry as readers read it: title, summary, image and text, then the other fields.
import Domain

/// The model of `partial/reading.html`.
struct ReadingView: Encodable, Sendable {
    struct Part: Encodable, Sendable {
        /// Nil where the heading of the page says the same.
        fileprivate(set) var title: FieldView?
        fileprivate(set) var summary: FieldView?
        fileprivate(set) var image: FieldView?
        fileprivate(set) var body: FieldView?
        /// The other fields, with their labels.
        fileprivate(set) var fields: [FieldView] = []

        fileprivate var isEmpty: Bool {
            title == nil && summary == nil && image == nil && body == nil && fields.isEmpty
        }
    }

    /// Nil if it has nothing besides what the heading of the page says.
    let preview: Part?
    /// The other fields, and the full text where the preview is cut; nil for none.
    let membersOnly: Part?
    /// Guests see the title, which is the heading of the page.
    let hasTitle: Bool
    /// The fields beside title, texts, image and rows, if they are listed apart.
    let others: [FieldView]

    /// It has nothing besides what the heading of the page says.
    var isEmpty: Bool { preview == nil && membersOnly == nil }

    /// The names of a long text that introduces the rest, or is all there is.
    private static let summaries: Set = ["summary", "about", "description", "text"]

    /// `heading`: that of the page. `removed` says by field what sanitizing removed. `hasOthersApart`: the fields that aren't text
    /// are in `others`, without references, which the page lists with links.
    init(
        of content: Content, in type: ContentType, heading: String, removed: [String: String] = [:],
        titles: EntryTitles, images: ContentImages, hasOthersApart: Bool = false
    ) {
        let guest = content.preview(in: type)
        let summary = type.fields.first { $0.type == .longText && Self.summaries.contains($0.name) }?.name
        let image = type.fields.first { $0.type == .image }?.name
        let body = type.fields.first { $0.type == .richText || $0.type == .markdown }?.name
        var (preview, membersOnly) = (Part(), Part())
        var hasTitle = false
        var others: [FieldView] = []
        let texts = [type.titleField, summary, image, body]

        func add(_ field: Field, _ value: JSONValue, to part: inout Part) {
            let view = FieldView(field, value, titles: titles, images: images, note: removed[field.name])
            if field.name == type.titleField, view.text != nil {
                let isHeading = view.text == heading && view.note == nil && view.warning == nil
                if isHeading { hasTitle = true } else { part.title = view }
            } else if field.name == summary {
                part.summary = view
            } else if field.name == image {
                part.image = view
            } else if field.name == body {
                part.body = view
            } else {
                part.fields.append(view)
            }
        }

        for field in type.fields {
            guard let value = content.fields[field.name] else { continue }
            if hasOthersApart, !texts.contains(field.name), field.type != .rows, field.type != .catalogItem {
                if !field.type.isReference {
                    others.append(FieldView(field, value, titles: titles, images: images, note: removed[field.name]))
                }
                continue
            }
            if let shown = guest[field.name] {
                add(field, shown, to: &preview)
                if shown == value { continue }
            }
            add(field, value, to: &membersOnly)
        }
        self.preview = preview.isEmpty ? nil : preview
        self.membersOnly = membersOnly.isEmpty ? nil : membersOnly
        self.hasTitle = hasTitle
        self.others = others
    }
}
