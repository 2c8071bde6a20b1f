// An item from a catalog source: normalized, validated against the catalog's schema, ready to be stored.
import Domain
import Store

package struct CatalogRecord: Sendable, Equatable {
    /// The ID in the source's API (`itemId` of the read tables, D24).
    package let externalID: String
    /// One line.
    package let title: String
    package let details: [String: JSONValue]

    /// The maximum size of the details' canonical text in bytes.
    package static let detailBytes = 64 << 10

    /// Nil if the data is not an item of this catalog: without ID or title, with a title that hides its direction, or with
    /// details that are too large or that the schema rejects. Invalid optional members and URLs that run as a program are
    /// left out, so that one wrong value does not hide an item.
    package init?(_ kind: CatalogKind, externalID: String, title: String, details: [String: JSONValue]) {
        let id = PlainText.singleLine(externalID)
        let line = PlainText.singleLine(title)
        guard !id.isEmpty, id.utf8.count <= ReceivedCatalogItem.externalIDLength, !PlainText.isBlank(line),
            !PlainText.containsBidiControls(line)
        else { return nil }
        var kept = details.compactMapValues(Self.withoutScripts)
        kept["title"] = .string(String(line.prefix(ReceivedCatalogItem.titleLength)))
        for item in kind.details.check(.object(kept)).items {
            guard let name = item.pointer.split(separator: "/").first else { return nil }
            kept[Self.unescaped(name)] = nil
        }
        let whole = JSONValue.object(kept)
        guard kind.details.check(whole).isEmpty, !whole.containsNUL, whole.canonicalText.utf8.count <= Self.detailBytes
        else { return nil }
        self.externalID = id
        self.title = String(line.prefix(ReceivedCatalogItem.titleLength))
        self.details = kept
    }

    /// The value without strings, at any depth, that run as a program where they are shown as a link or an image; the
    /// schema does not name all members.
    private static func withoutScripts(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .string(let text): runs(text) ? nil : value
        case .array(let values): .array(values.compactMap(withoutScripts))
        case .object(let members): .object(members.compactMapValues(withoutScripts))
        default: value
        }
    }

    /// Browsers ignore white space and controls before and within a scheme.
    private static func runs(_ text: String) -> Bool {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.lazy.filter { $0.value > 0x20 }.prefix(11)))
            .lowercased()
        return ["javascript:", "vbscript:", "data:"].contains { start.hasPrefix($0) }
    }

    private static func unescaped(_ step: Substring) -> String {
        String(step).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}

extension CatalogRecord {
    /// The record with each member of its details replaced or removed.
    package func withDetails(_ keep: (JSONValue) -> JSONValue?) -> CatalogRecord {
        CatalogRecord(externalID: externalID, title: title, details: details.compactMapValues(keep))
    }

    private init(externalID: String, title: String, details: [String: JSONValue]) {
        self.externalID = externalID
        self.title = title
        self.details = details
    }
}
