// Sanitized HTML, with the names of what was removed from the original.
import Localization

package struct CleanedHTML: Sendable, Equatable {
    /// At most this many names are listed.
    static let maximumNames = 20

    package internal(set) var html = ""
    /// Elements as `<script>` and attributes as `onclick`; `href` and `src` stand for URLs that are not allowed.
    package private(set) var removed: [String] = []
    /// Embedded players that became links.
    package private(set) var linked: [String] = []
    /// Of Markdown with HTML tags, the source without them.
    package internal(set) var source: String?
    /// Whether names of `removed` are missing from the HTML only, not from the source in Markdown.
    var isMarkdown = false

    /// One sentence for people; nil if nothing that matters was removed.
    package var sentence: String? {
        let names = removed.joined(separator: ", ")
        let sentences = [
            source == nil ? nil : tr("Removed: HTML tags."),
            removed.isEmpty
                ? nil
                : isMarkdown
                    ? tr("Removed from the HTML: \(names).") : tr("Removed: \(names).", context: "cleaned html"),
            linked.isEmpty ? nil : tr("Replaced by links: \(linked.joined(separator: ", "))."),
        ]
        let sentence = sentences.compactMap(\.self).joined(separator: " ")
        return sentence.isEmpty ? nil : sentence
    }

    mutating func remove(_ name: String) {
        Self.add(name, to: &removed)
    }

    mutating func link(_ name: String) {
        Self.add(name, to: &linked)
    }

    private static func add(_ name: String, to names: inout [String]) {
        if names.count < maximumNames, !names.contains(name) { names.append(name) }
    }
}
