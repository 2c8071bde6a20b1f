// The images that content shows: in image fields, inside texts, and as paths in texts and settings (A9, A40).

package struct ImageUse: Sendable, Equatable {
    package enum Image: Sendable, Equatable {
        case library(ID<Media>)
        /// A file of the library; `isRelative` unless it is part of an absolute URL, which may be another server's.
        case file(path: String, isRelative: Bool)
        /// `path` is the end of the URL if it looks like a file of the library.
        case external(url: String, path: String?)
    }

    /// `image`, `screens/0/image`; inside a text followed by its number from 1: `body#1`, `values/0/value#2`.
    package let pointer: String
    package let image: Image

    /// The longest URL of an external image, in bytes.
    package static let maxURLBytes = 2048
}

/// A library image that replaces an external one.
package struct ImageReplacement: Sendable {
    package let media: ID<Media>
    /// The path of the full-size file; nil if the image has no alternative text, which it needs inside a text.
    package let path: String?

    package init(media: ID<Media>, path: String?) {
        self.media = media
        self.path = path
    }
}

extension Content {
    /// The images in the order of the type's fields.
    package func imageUses(of type: ContentType) -> [ImageUse] {
        Self.uses(in: fields, type.fields, below: "")
    }

    private static func uses(in values: [String: JSONValue], _ fields: [Field], below prefix: String) -> [ImageUse] {
        fields.flatMap { field -> [ImageUse] in
            guard let value = values[field.name] else { return [] }
            let path = prefix + field.name
            switch field.type {
            case .image:
                if let id = ImageValue.media(in: value) { return [ImageUse(pointer: path, image: .library(id))] }
                return value["url"]?.stringValue.map { [ImageUse(pointer: path, image: TextImage.external($0))] } ?? []
            case .rows:
                return (value.arrayValue ?? []).enumerated().flatMap { index, row in
                    uses(in: row.objectValue ?? [:], field.fields, below: "\(path)/\(index)/")
                }
            default:
                guard let text = value.stringValue else { return [] }
                return TextImage.images(in: text, of: field.type).enumerated().map { index, image in
                    ImageUse(pointer: "\(path)#\(index + 1)", image: image)
                }
            }
        }
    }

    /// The content with external images replaced: `replacements` by URL. Without alternative text, an image field gets the
    /// title: the library's text may describe what another entry shows.
    package func replacingExternalImages(
        of type: ContentType, by replacements: [String: ImageReplacement]
    ) -> Content {
        let title = String(PlainText.singleLine(title(in: type)).unicodeScalars.prefix(500))
        func field(_ value: JSONValue) -> JSONValue? {
            guard let new = value["url"]?.stringValue.flatMap({ replacements[$0] }) else { return nil }
            var members: [String: JSONValue] = ["media": .string(new.media.description)]
            members["alt"] = value["alt"] ?? (title.isEmpty ? nil : .string(title))
            return .object(members)
        }
        return Content(fields: Self.replacing(fields, type.fields, field) { replacements[$0]?.path })
    }

    /// The content with other files of the library inside its texts: `paths` by path.
    package func replacingFiles(of type: ContentType, by paths: [String: String]) -> Content {
        Content(
            fields: Self.replacing(fields, type.fields, { _ in nil }) { url in
                paths.first { url.hasSuffix($0.key) }.map { String(url.dropLast($0.key.utf8.count)) + $0.value }
            })
    }

    /// `image` replaces the value of an image field, `url` the URL of an image inside a text; nil keeps it.
    private static func replacing(
        _ values: [String: JSONValue], _ fields: [Field], _ image: (JSONValue) -> JSONValue?, _ url: (String) -> String?
    ) -> [String: JSONValue] {
        var values = values
        for field in fields {
            guard let value = values[field.name] else { continue }
            switch field.type {
            case .image: values[field.name] = image(value) ?? value
            case .rows:
                values[field.name] = value.arrayValue.map { rows in
                    .array(rows.map { .object(replacing($0.objectValue ?? [:], field.fields, image, url)) })
                }
            default:
                guard let text = value.stringValue else { continue }
                values[field.name] = .string(TextImage.replacing(text, of: field.type, url))
            }
        }
        return values
    }
}

extension ImageUse {
    /// The path of a file of the library, if the image may be one.
    package var path: String? {
        switch image {
        case .library: nil
        case .file(let path, _): path
        case .external(_, let path): path
        }
    }

    /// The pointer of errors: `/fields/body`.
    package var fieldPointer: String { "/fields/" + (pointer.split(separator: "#").first.map(String.init) ?? pointer) }
}
