// One thing as a source described it: normalized, checked against its catalog's schema, ready to be kept.

package struct CatalogRecord: Sendable, Equatable {
    /// Its id in the source's own API (`itemId` of the read tables, D24).
    package let externalID: String
    /// One line.
    package let title: String
    package let details: [String: JSONValue]

    /// In characters; longer titles are cut.
    package static let titleLength = 300
    /// Bytes of the details' canonical text.
    package static let detailBytes = 64 << 10
    package static let externalIDLength = 500

    /// Nil, with nothing kept, when what came is no item of this catalog: without id or title, with details that the
    /// schema refuses or that are too large. Members that the schema refuses but does not require are left out, so that
    /// one odd value does not hide a film.
    package init?(_ kind: CatalogKind, externalID: String, title: String, details: [String: JSONValue]) {
        let id = PlainText.singleLine(externalID)
        let line = PlainText.singleLine(title)
        guard !id.isEmpty, id.utf8.count <= Self.externalIDLength, !PlainText.isBlank(line) else { return nil }
        var kept = details
        kept["title"] = .string(String(line.prefix(Self.titleLength)))
        for item in kind.details.check(.object(kept)).items {
            guard let name = item.pointer.split(separator: "/").first else { return nil }
            kept[Self.unescaped(name)] = nil
        }
        let whole = JSONValue.object(kept)
        guard kind.details.check(whole).isEmpty, !whole.holdsNUL, whole.canonicalText.utf8.count <= Self.detailBytes
        else { return nil }
        self.externalID = id
        self.title = String(line.prefix(Self.titleLength))
        self.details = kept
    }

    private static func unescaped(_ step: Substring) -> String {
        String(step).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}

extension CatalogRecord {
    /// With what is left of each member of the details.
    package func withDetails(_ keep: (JSONValue) -> JSONValue?) -> CatalogRecord {
        CatalogRecord(externalID: externalID, title: title, details: details.compactMapValues(keep))
    }

    private init(externalID: String, title: String, details: [String: JSONValue]) {
        self.externalID = externalID
        self.title = title
        self.details = details
    }
}
