// One field of a content as the app shows it; untrusted text is sanitized or escaped.
import Domain
import Localization
import Markup

/// The model of `partial/values.html`. At most one kind of value is set.
struct FieldView: Encodable, Sendable {
    struct Image: Encodable, Sendable {
        /// Nil if it is on another server and was not asked for.
        let url: String?
        let alt: String
    }

    /// The images on other servers that were not asked for.
    struct HiddenImages: Encodable, Sendable {
        let hosts: String
        /// The URL of the page with them, if there is one.
        let showURL: String?

        /// Nil without hosts.
        init?(_ hosts: Set<String>, _ images: ContentImages) {
            if hosts.isEmpty { return nil }
            self.hosts = hosts.sorted().joined(separator: ", ")
            showURL = images.showURL
        }
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
    private(set) var hiddenImages: HiddenImages?
    private(set) var code: String?
    private(set) var rows: [[FieldView]]?

    init(
        _ field: Field, _ value: JSONValue, titles: EntryTitles, images: ContentImages, note: String? = nil
    ) {
        label = field.label
        self.note = note
        let texts = field.shownTexts(of: value)
        let plain = texts.filter { !$0.isEmpty }.joined(separator: "\n")
        switch field.type {
        case .richText:
            let source = value[Field.markdownKey]?.stringValue
            show(
                source.map { try? Markdown.html($0) } ?? (try? SafeHTML(sanitizing: plain)), of: source ?? plain, images
            )
        case .markdown:
            show(try? Markdown.html(plain), of: plain, images)
        case .url: show(link: plain)
        case .image:
            let url = Self.url(of: value)
            image = Image(url: images.isShown(url) ? url : nil, alt: value["alt"]?.stringValue ?? "")
            if image?.url == nil { hiddenImages = HiddenImages([ContentImages.host(of: url)], images) }
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
                field.fields.compactMap { inner in
                    row[inner.name].map { FieldView(inner, $0, titles: titles, images: images) }
                }
            }
        case .longText: show(SpoofCheck(text: plain))
        case .locale: show(SpoofCheck(name: plain.isEmpty ? plain : LanguageName.of(plain)))
        default: show(SpoofCheck(name: plain))
        }
    }

    /// Sanitized text; as it is if it can't be sanitized.
    private mutating func show(_ sanitized: SafeHTML?, of plain: String, _ images: ContentImages) {
        var hosts: Set<String> = []
        html = sanitized.map { Self.shown($0, images, &hosts) }
        if html == nil { text = plain }
        warning = SpoofCheck(text: plain).reason
        hiddenImages = HiddenImages(hosts, images)
    }

    /// Sanitized text with the images that the page loads; adds the servers of the others to `hosts`.
    static func shown(_ sanitized: SafeHTML, _ images: ContentImages, _ hosts: inout Set<String>) -> SafeHTML {
        sanitized.withEmbeds().withMediaURL(AdminURL.mediaFiles).withImages(where: images.isShown) { url in
            let host = ContentImages.host(of: url)
            hosts.insert(host)
            return tr("Image from \(host)")
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
    static func url(of value: JSONValue) -> String {
        guard let id = ImageValue.media(in: value) else { return value["url"]?.stringValue ?? "" }
        let files = value["renditions"]?.arrayValue ?? []
        let file = files.first { $0["width"]?.integerValue ?? 0 >= 640 } ?? files.last
        return AdminURL.mediaFiles + (file?["path"]?.stringValue ?? "\(id)/image")
    }
}
