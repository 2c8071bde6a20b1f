// Reads what a store answers to a listing: a small XML of known form, of which three elements matter.
import FoundationEssentials

struct BucketListing {
    let objects: [(key: String, modified: Date)]
    /// There are more.
    let isCut: Bool

    /// The keys that matter hold nothing that XML would have to escape; others are passed over by `MediaPath`.
    init(_ document: String) {
        objects = document.split(separator: "<Contents>").dropFirst().compactMap { part in
            guard let key = Self.content(of: "Key", in: part),
                let modified = Self.content(of: "LastModified", in: part).flatMap(Self.date)
            else { return nil }
            return (String(key), modified)
        }
        isCut = Self.content(of: "IsTruncated", in: document) == "true"
    }

    private static func date(_ text: Substring) -> Date? {
        let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        return styles.lazy.compactMap { try? $0.parse(String(text)) }.first
    }

    static func content(of element: String, in text: some StringProtocol) -> Substring? {
        let text = Substring(text)
        guard let start = text.firstRange(of: "<\(element)>"), let end = text.firstRange(of: "</\(element)>"),
            start.upperBound <= end.lowerBound
        else { return nil }
        return text[start.upperBound..<end.lowerBound]
    }
}
