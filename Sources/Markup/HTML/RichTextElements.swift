// The elements and attributes that rich text keeps, for the editor, which offers these.

import CGumbo
import FoundationEssentials

/// Read from the policies that the sanitizer applies.
package struct RichTextElements: Sendable, Encodable {
    /// Paragraphs and headings, which contain text and inline elements.
    package let paragraphs: [String]
    package let inlines: [String]
    /// What contains anything, such as a quotation.
    package let containers: [String]
    /// Lists and tables.
    package let structures: [String]
    /// Each element that belongs into others, with these.
    package let children: [String: [String]]
    /// Line break, rule, image.
    package let empty: [String]
    /// The attributes of each element, beside those of all.
    package let attributes: [String: [String]]
    package let attributesOfAll: [String]
    /// Elements that stay in a text, such as a pasted one, but that nothing in the editor makes: `b` and `i`, which it
    /// writes as `strong` and `em`; what only some scripts need; the foot of a table. The editor makes all others.
    package let onlyKept = ["b", "bdi", "bdo", "i", "rp", "rt", "ruby", "tfoot"]
    /// Providers of videos and sounds that are shown as cards.
    package let providers = EmbedProvider.all

    package static let all = RichTextElements()

    /// All of them as JSON.
    package static let json: String = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: (try? encoder.encode(all)) ?? Data("{}".utf8), as: UTF8.self)
    }()

    private init() {
        var paragraphs: Set<String> = []
        var inlines: Set<String> = []
        var containers: Set<String> = []
        var structures: Set<String> = []
        var children: [String: [String]] = [:]
        for value in 0..<GUMBO_TAG_UNKNOWN.rawValue {
            switch ElementPolicy.of(GumboTag(rawValue: value)) {
            case .paragraph(let name): paragraphs.insert(name)
            case .inline(let name): inlines.insert(name)
            case .container(let name): containers.insert(name)
            case .structure(let name): structures.insert(name)
            case .child(let name, let parents): children[name] = parents
            case .dropped, .embed, .through, .division, .rule, .lineBreak, .image: break
            }
        }
        self.paragraphs = paragraphs.sorted()
        self.inlines = inlines.sorted()
        self.containers = containers.sorted()
        self.structures = structures.sorted()
        self.children = children
        empty = ["br", "hr", "img"]
        attributes = HTMLStartTag.attributeNames
        attributesOfAll = ["dir", "id", "lang"]
    }
}
