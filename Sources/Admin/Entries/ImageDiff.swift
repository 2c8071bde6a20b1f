// An image that changed: before and after, with alternative text and size.
import Domain
import Localization
import Markup

struct ImageDiff: Encodable, Sendable {
    struct Side: Encodable, Sendable {
        let label: String
        /// Nil if it is on another server and was not asked for.
        let url: String?
        /// The server it would be loaded from; nil if it is shown.
        let host: String?
        let alt: String
        /// `640 × 480`; nil if it is unknown.
        let size: String?
        /// The focal point, if it is not the center.
        var focus: String?
    }

    /// Nil for an image that was added or removed.
    let old: Side?
    let new: Side?
    let hiddenImages: FieldView.HiddenImages?

    private enum CodingKeys: CodingKey { case old, new, hiddenImages }

    /// The servers whose images are not shown.
    var hosts: Set<String> { Set([old?.host, new?.host].compactMap(\.self)) }

    /// Of the values of an image field.
    init(_ old: JSONValue?, _ new: JSONValue?, _ images: ContentImages) {
        func side(_ value: JSONValue, _ label: String) -> Side {
            var side = Side(
                FieldView.url(of: value), alt: value["alt"]?.stringValue ?? "", label: label,
                width: value["width"]?.integerValue.map(Int.init), height: value["height"]?.integerValue.map(Int.init),
                images)
            let focus = ContentDiff.focus(of: value)
            side.focus = focus.isEmpty ? nil : focus
            return side
        }
        self.old = old.map { side($0, Self.before) }
        self.new = new.map { side($0, Self.after) }
        hiddenImages = FieldView.HiddenImages(
            Set([self.old?.host, self.new?.host].compactMap(\.self)), images)
    }

    /// Of an image in rich text, whose text says once for all images what is not shown.
    init(_ change: HTMLDiff.ImageChange, _ images: ContentImages) {
        func side(_ image: HTMLDiff.Image, _ label: String) -> Side {
            Side(
                SafeHTML.mediaURL(image.url, base: AdminURL.mediaFiles), alt: image.alt, label: label,
                width: image.width, height: image.height, images)
        }
        old = change.old.map { side($0, Self.before) }
        new = change.new.map { side($0, Self.after) }
        hiddenImages = nil
    }

    private static var before: String { tr("Image before") }
    private static var after: String { tr("Image after") }
}

extension ImageDiff.Side {
    fileprivate init(
        _ url: String, alt: String, label: String, width: Int?, height: Int?, _ images: ContentImages
    ) {
        let isShown = images.isShown(url)
        self.init(
            label: label, url: isShown ? url : nil, host: isShown ? nil : ContentImages.host(of: url), alt: alt,
            size: width.flatMap { width in height.map { "\(width) × \($0)" } })
    }
}
