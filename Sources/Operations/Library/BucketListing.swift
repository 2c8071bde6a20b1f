// Parses a bucket listing of an S3-compatible store; only three elements of its XML are needed.
import FoundationEssentials

struct BucketListing {
    let objects: [(key: String, modified: Date)]
    /// More objects follow.
    let isTruncated: Bool

    /// Our keys contain no characters that XML escapes; `MediaPath` rejects all others.
    init(_ document: String) {
        objects = document.split(separator: "<Contents>").dropFirst().compactMap { part in
            guard let key = Self.content(of: "Key", in: part),
                let modified = Self.content(of: "LastModified", in: part).flatMap(Self.date)
            else { return nil }
            return (String(key), modified)
        }
        isTruncated = Self.content(of: "IsTruncated", in: document) == "true"
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
