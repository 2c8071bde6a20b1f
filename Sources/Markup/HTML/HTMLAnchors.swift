// Finds the ids of a text that its own links lead to; only these are kept.

import FoundationEssentials

/// Ids get a prefix, because an id such as `body` or `cookie` would otherwise hide an object of a page's scripts.
struct HTMLAnchors: HTMLVisitor {
    private static let prefix = "content-"
    private static let maximumLength = 64

    private var ids: Set<String> = []
    private var targets: Set<String> = []

    /// Whether the text has links to places in itself.
    var isUsed: Bool { !targets.isEmpty }

    /// The id to write for an element; nil without one that a link leads to.
    func id(of element: HTMLElement) -> String? {
        if targets.isEmpty { return nil }
        return Self.id(of: element).flatMap { targets.contains($0) ? Self.prefix + $0 : nil }
    }

    /// The address of a link within the text; nil for any other.
    func link(to href: String?) -> String? {
        Self.target(of: href).flatMap { ids.contains($0) ? "#" + Self.prefix + $0 : nil }
    }

    mutating func enter(_ element: HTMLElement) -> Bool {
        if case .dropped = element.role { return false }
        if case .embed = element.role { return false }
        if let id = Self.id(of: element) { ids.insert(id) }
        if case .inline("a") = element.role, let target = Self.target(of: element.attribute("href")) {
            targets.insert(target)
        }
        return true
    }

    mutating func leave() {}
    mutating func text(_ text: String) {}

    private static func id(of element: HTMLElement) -> String? {
        if let id = element.attribute("id") { return bare(id) }
        if case .inline("a") = element.role { return element.attribute("name").flatMap(bare) }
        return nil
    }

    private static func target(of href: String?) -> String? {
        guard let href, href.utf8.first == UInt8(ascii: "#") else { return nil }
        return bare(decoded(String(href.dropFirst())))
    }

    /// With percent-encoded bytes decoded, like a browser looks for the place of a link.
    private static func decoded(_ fragment: String) -> String {
        var bytes: [UInt8] = []
        var rest = fragment.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(digits) ?? "", radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Without the prefix that an earlier run added.
    private static func bare(_ id: String) -> String? {
        let id = id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id
        let isValid = id.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
                || "-_.:".unicodeScalars.contains(scalar)
        }
        return isValid && !id.isEmpty && id.unicodeScalars.count <= maximumLength ? id : nil
    }
}
