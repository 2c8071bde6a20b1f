// The value of an image field: an external URL, or an image of the media library with its files.
import Localization

package struct ImageValue: Sendable, Equatable {
    /// A rendition: the image in one width.
    package struct File: Sendable, Equatable {
        /// The path below the base URL of media.
        package let path: String
        package let width: Int
        package let height: Int
        package let bytes: Int
        /// 64 hexadecimal digits.
        package let sha256: String

        package init(path: String, width: Int, height: Int, bytes: Int, sha256: String) {
            self.path = path
            self.width = width
            self.height = height
            self.bytes = bytes
            self.sha256 = sha256
        }

        package var json: JSONValue {
            .object([
                "path": .string(path), "width": .int(Int64(width)), "height": .int(Int64(height)),
                "bytes": .int(Int64(bytes)), "sha256": .string(sha256),
            ])
        }
    }

    /// The largest number of characters of an alternative text.
    package static let maxAltLength = 500

    /// The ID of an image of the media library; nil for an external image.
    package static func media(in value: JSONValue) -> ID<Media>? {
        value["media"]?.stringValue.flatMap(ID<Media>.init)
    }

    /// The value of a library image in a revision: its files and its current description. `own` is the alternative text
    /// of this field, if any; `files` are sorted by width.
    package static func complete(
        _ id: ID<Media>, type: String, alt: String, own: String?, focus: FocalPoint, files: [File]
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "media": .string(id.description), "type": .string(type), "focus": focus.json,
            "renditions": .array(files.map(\.json)),
        ]
        if let whole = files.last { members.merge(whole.json.objectValue ?? [:]) { first, _ in first } }
        let text = own ?? alt
        if !text.isEmpty { members["alt"] = .string(text) }
        return .object(members)
    }
}

/// The error for an unknown image ID.
extension Failure {
    package static func unknownImage(at pointer: String) -> Failure {
        .invalid(FieldErrors(pointer, "reference", tr("There is no such image in the media library.")))
    }
}

extension Content {
    /// The library images of its image fields, including those in rows. `path` leads to the value: `image`,
    /// `screens/0/image`.
    package func media(of type: ContentType) -> [(path: String, id: ID<Media>)] {
        var found: [(path: String, id: ID<Media>)] = []
        _ = mappingImages(of: type) { path, value in
            if let id = ImageValue.media(in: value) { found.append((path: path, id: id)) }
            return value
        }
        return found
    }

    /// The content with each image value replaced.
    package func mappingImages(of type: ContentType, _ map: (String, JSONValue) -> JSONValue) -> Content {
        Content(fields: Self.mapping(fields, type.fields, below: "", map))
    }

    private static func mapping(
        _ values: [String: JSONValue], _ fields: [Field], below prefix: String, _ map: (String, JSONValue) -> JSONValue
    ) -> [String: JSONValue] {
        var values = values
        for field in fields {
            guard let value = values[field.name] else { continue }
            let path = prefix + field.name
            if field.type == .image {
                values[field.name] = map(path, value)
            } else if field.type == .rows, let rows = value.arrayValue {
                values[field.name] = .array(
                    rows.enumerated().map { index, row in
                        .object(mapping(row.objectValue ?? [:], field.fields, below: "\(path)/\(index)/", map))
                    })
            }
        }
        return values
    }
}
