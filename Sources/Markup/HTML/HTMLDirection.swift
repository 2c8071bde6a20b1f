// The language and writing direction that an element sets, and that its removed wrappers pass on to it.

struct HTMLDirection {
    private(set) var dir: String?
    private(set) var lang: String?

    init() {}

    /// What the element sets; the rest from the wrappers around it.
    init(_ element: HTMLElement, within outer: HTMLDirection = HTMLDirection()) {
        let written = element.attribute("dir")?.lowercased()
        dir = written.flatMap { ["ltr", "rtl", "auto"].contains($0) ? $0 : nil } ?? outer.dir
        lang = element.attribute("lang").flatMap { Self.isLanguage($0) ? $0 : nil } ?? outer.lang
    }

    var isEmpty: Bool { dir == nil && lang == nil }

    /// The form of a BCP 47 tag: parts of 1 to 8 letters and digits, the first of letters.
    private static func isLanguage(_ tag: String) -> Bool {
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return tag.utf8.count <= 35 && parts.first?.allSatisfy(\.isFeedLetter) == true
            && parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { $0.isFeedLetter || $0.isFeedDigit } }
    }
}
