// The value of an image field: an address elsewhere, or an image in our own store with all that readers need of it.

package struct ImageValue: Sendable, Equatable {
    /// One file of an image: the same image in one width.
    package struct File: Sendable, Equatable {
        /// Below the base address of media.
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

        fileprivate var json: JSONValue {
            .object([
                "path": .string(path), "width": .int(Int64(width)), "height": .int(Int64(height)),
                "bytes": .int(Int64(bytes)), "sha256": .string(sha256),
            ])
        }
    }

    /// The id of a stored image that a value names, or nil for one that stands elsewhere.
    package static func media(in value: JSONValue) -> ID<Media>? {
        value["media"]?.stringValue.flatMap(ID<Media>.init)
    }

    /// What a revision holds of a stored image: the files as they are, the description as it is now. `own` is the
    /// alternative text that was written for this place, if any; `files` stand in order of their width.
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

/// The same answer everywhere: there is no image of this id.
extension Failure {
    package static func unknownImage(at pointer: String) -> Failure {
        .invalid(FieldErrors(pointer, "reference", "There is no such image in the media library."))
    }
}

extension Content {
    /// The stored images that its image fields show, those in rows among them; `place` is the path to the value:
    /// `image`, `screens/0/image`.
    package func media(of type: ContentType) -> [(place: String, id: ID<Media>)] {
        var found: [(place: String, id: ID<Media>)] = []
        _ = mappingImages(of: type) { place, value in
            if let id = ImageValue.media(in: value) { found.append((place: place, id: id)) }
            return value
        }
        return found
    }

    /// The content with another value for each image.
    package func mappingImages(of type: ContentType, _ map: (String, JSONValue) -> JSONValue) -> Content {
        Content(fields: Self.mapping(fields, type.fields, below: "", map))
    }

    private static func mapping(
        _ values: [String: JSONValue], _ fields: [Field], below place: String, _ map: (String, JSONValue) -> JSONValue
    ) -> [String: JSONValue] {
        var values = values
        for field in fields {
            guard let value = values[field.name] else { continue }
            let path = place + field.name
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
