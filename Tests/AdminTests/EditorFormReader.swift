// Reads the controls of one form out of a page, as a browser would send them without pressing a button.
import FoundationEssentials

enum EditorFormReader {
    static func fields(of html: Substring) -> [(String, String)] {
        var fields: [(String, String)] = []
        var rest = html
        while let start = rest.firstRange(of: "<"), let end = rest[start.upperBound...].firstRange(of: ">") {
            let tag = rest[start.upperBound..<end.lowerBound]
            rest = rest[end.upperBound...]
            let name = tag.prefix { $0.isLetter }
            switch name {
            case "input":
                guard let field = attribute("name", of: tag) else { continue }
                let isBox = attribute("type", of: tag) == "checkbox" || attribute("type", of: tag) == "radio"
                if isBox, !tag.hasSuffix(" checked") && !tag.contains(" checked ") { continue }
                fields.append((field, attribute("value", of: tag) ?? ""))
            case "textarea":
                guard let field = attribute("name", of: tag), let close = rest.firstRange(of: "</textarea>") else { continue }
                // A parser drops a line end right after the tag.
                let text = unescaped(rest[..<close.lowerBound])
                fields.append((field, text.hasPrefix("\n") ? String(text.dropFirst()) : text))
                rest = rest[close.upperBound...]
            case "select":
                guard let field = attribute("name", of: tag), let close = rest.firstRange(of: "</select>") else { continue }
                fields.append((field, chosen(in: rest[..<close.lowerBound])))
                rest = rest[close.upperBound...]
            default: continue
            }
        }
        return fields
    }

    /// The chosen option, or the first.
    private static func chosen(in options: Substring) -> String {
        let tags = options.split(separator: "<").filter { $0.hasPrefix("option") }.map { $0.prefix { $0 != ">" } }
        let tag = tags.first { $0.hasSuffix(" selected") } ?? tags.first
        return tag.flatMap { attribute("value", of: $0) } ?? ""
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let start = tag.firstRange(of: " \(name)=\""), let end = tag[start.upperBound...].firstRange(of: "\"") else {
            return nil
        }
        return unescaped(tag[start.upperBound..<end.lowerBound])
    }

    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}
