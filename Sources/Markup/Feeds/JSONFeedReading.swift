// Reads JSON Feed 1 and 1.1.

import FoundationEssentials
import Localization

enum JSONFeedReading {
    static func read(_ bytes: [UInt8], url: String?) throws(FeedError) -> FeedDocument {
        try checkDepth(bytes)
        let (text, isRepaired) = repaired(bytes)
        let feed: JSONFeedDocument
        do {
            feed = try JSONDecoder().decode(JSONFeedDocument.self, from: Data(text))
        } catch let error as FeedError {
            throw error
        } catch {
            throw FeedError(.malformed, tr("The document is not well-formed JSON."))
        }
        guard feed.version?.contains("jsonfeed.org/version/") == true, let items = feed.items else {
            throw FeedError(.notAFeed, tr("The document is JSON but not a JSON Feed."))
        }
        let link = FeedURL.web(feed.homePage, against: url)
        let base = link ?? url
        return FeedDocument(
            title: FeedText.collapse(feed.title ?? ""), link: link, format: .json,
            entries: items.map { entry($0, author: feed.names, base: base) }, recovered: isRepaired)
    }

    /// The document with U+FFFD for escaped NUL characters and halves of surrogate pairs, which programs write where they
    /// cut a text: the decoder would drop the whole text.
    private static func repaired(_ bytes: [UInt8]) -> (bytes: [UInt8], isRepaired: Bool) {
        var (bytes, isRepaired, index) = (bytes, false, 0)
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            guard let first = escapedUnit(bytes, at: index) else {
                index += 2
                continue
            }
            if (0xD800...0xDBFF).contains(first), let second = escapedUnit(bytes, at: index + 6),
                (0xDC00...0xDFFF).contains(second)
            {
                index += 12
                continue
            }
            if first == 0 || (0xD800...0xDFFF).contains(first) {
                bytes.replaceSubrange((index + 2)..<(index + 6), with: "fffd".utf8)
                isRepaired = true
            }
            index += 6
        }
        return (bytes, isRepaired)
    }

    /// The value of `\uXXXX`; nil if there is none.
    private static func escapedUnit(_ bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[(index + 2)..<(index + 6)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// Bounds the nesting, since the decoder recurses as deep as the document.
    private static func checkDepth(_ bytes: [UInt8]) throws(FeedError) {
        var depth = 0
        var inString = false
        var escaped = false
        for (index, byte) in bytes.enumerated() {
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= FeedLimits.jsonDepth else {
                    throw FeedError(
                        .tooDeep, tr("The document nests more than \(FeedLimits.jsonDepth) levels."),
                        line: bytes.feedLine(at: index))
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: continue
            }
        }
    }

    private static func entry(_ item: JSONFeedDocument.Item, author: String?, base: String?) -> FeedEntry {
        var entry = FeedEntry()
        entry.base = base
        entry.id = FeedText.trim(item.id ?? "")
        entry.url =
            FeedURL.web(item.url, against: base) ?? FeedURL.web(item.externalURL, against: base)
            ?? FeedURL.web(entry.id, against: nil)
        entry.title = FeedText.collapse(item.title ?? "")
        let html = FeedText.trim(item.html ?? "")
        entry.html = html.isEmpty ? FeedText.escapeLines(FeedText.trim(item.text ?? item.summary ?? "")) : html
        entry.summary = item.summary.map(FeedText.collapse)
        entry.author = item.names ?? author
        entry.published = item.published.flatMap(FeedDate.rfc3339)
        entry.updated = item.modified.flatMap(FeedDate.rfc3339)
        entry.categories = item.tags.map(FeedText.collapse)
        entry.media = media(of: item, base: base)
        return entry
    }

    private static func media(of item: JSONFeedDocument.Item, base: String?) -> [FeedMedia] {
        var media: [FeedMedia] = []
        for attachment in item.attachments {
            guard let url = FeedURL.web(attachment.url, against: base) else { continue }
            let title = FeedText.collapse(attachment.title ?? "")
            let item = FeedMedia(
                url: url, type: FeedMediaReading.mediaType(attachment.type), length: attachment.length,
                kind: .enclosure, seconds: attachment.seconds, title: title.isEmpty ? nil : title)
            FeedMediaReading.merge(item, into: &media)
        }
        for image in [item.image, item.banner] {
            guard let url = FeedURL.web(image, against: base) else { continue }
            FeedMediaReading.merge(FeedMedia(url: url, kind: .image), into: &media)
        }
        return media
    }
}
