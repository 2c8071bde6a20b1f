// A media type such as `text/html; charset=utf-8`, parsed with its parameters.

/// Type, subtype and parameter names are lower case; parameter values are as written, without their quotes.
package struct MediaType: Sendable, Equatable {
    package let type: String
    package let subtype: String
    package let parameters: [Parameter]

    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// `type/subtype`, without parameters.
    package var essence: String { type + "/" + subtype }

    package subscript(parameter name: String) -> String? {
        parameters.first { $0.name == name.lowercased() }?.value
    }

    /// Reads a Content-Type value; nil when it is not one.
    package init?(_ text: String) {
        var reader = FieldReader(text)
        guard let type = reader.token(), reader.take(UInt8(ascii: "/")), let subtype = reader.token() else {
            return nil
        }
        var parameters: [Parameter] = []
        reader.skipSpace()
        while reader.take(UInt8(ascii: ";")) {
            reader.skipSpace()
            if reader.isAtEnd || reader.next == UInt8(ascii: ";") { continue }
            guard let name = reader.token(), reader.take(UInt8(ascii: "=")),
                let value = reader.next == UInt8(ascii: "\"") ? reader.quoted() : Self.unquoted(&reader)
            else { return nil }
            parameters.append(Parameter(name: name.lowercased(), value: value))
            reader.skipSpace()
        }
        guard reader.isAtEnd else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters
    }

    /// Also what only quotes allow: some clients forget them around a boundary such as `=_Part/1`.
    private static func unquoted(_ reader: inout FieldReader) -> String? {
        let text = reader.take { $0.isTokenByte || "()/:=?".utf8.contains($0) }
        return text.isEmpty ? nil : text
    }
}
