// Answers whether the copy that a client holds is still good (RFC 9110, section 13).

/// An entity tag.
package struct ETag: Sendable, Equatable {
    /// What stands between the quotes.
    package let opaque: String
    package let isWeak: Bool

    /// Bytes that a tag cannot carry (quotes, spaces, control bytes, beyond ASCII) are percent-escaped.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = PercentCoding.encode(opaque) { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        self.isWeak = isWeak
    }

    /// The value of an ETag header.
    package var text: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

    /// The tags of an If-None-Match or If-Match value other than `*`; nil when it is malformed.
    package static func list(_ header: String) -> [ETag]? {
        var reader = FieldReader(header)
        var tags: [ETag] = []
        repeat {
            reader.skipSpace()
            let isWeak = reader.take(UInt8(ascii: "W"))
            if isWeak, !reader.take(UInt8(ascii: "/")) { return nil }
            guard reader.take(UInt8(ascii: "\"")) else { return nil }
            let opaque = reader.take { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
            guard reader.take(UInt8(ascii: "\"")) else { return nil }
            tags.append(ETag(received: opaque, isWeak: isWeak))
            reader.skipSpace()
        } while reader.take(UInt8(ascii: ","))
        return reader.isAtEnd ? tags : nil
    }

    private init(received opaque: String, isWeak: Bool) {
        self.opaque = opaque
        self.isWeak = isWeak
    }
}

/// The conditions of a GET or HEAD.
package struct ConditionalRequest: Sendable {
    private let noneMatch: String?
    private let modifiedSince: String?

    package init(_ headers: Headers) {
        let tags = headers.all("If-None-Match")
        noneMatch = tags.isEmpty ? nil : tags.joined(separator: ",")
        modifiedSince = headers["If-Modified-Since"]
    }

    /// Whether the client's copy is good and 304 is the response. If-None-Match compares weakly and, where it is sent,
    /// alone decides; If-Modified-Since counts whole seconds. A malformed condition is as if it were not sent, except
    /// that a malformed If-None-Match still hides If-Modified-Since.
    package func isFresh(etag: ETag?, lastModified: Int64? = nil) -> Bool {
        if let noneMatch {
            if noneMatch == "*" { return etag != nil }
            guard let etag, let tags = ETag.list(noneMatch) else { return false }
            return tags.contains { $0.opaque == etag.opaque }
        }
        guard let lastModified, let since = modifiedSince.flatMap(HeaderDate.parse) else { return false }
        return lastModified <= since
    }
}
