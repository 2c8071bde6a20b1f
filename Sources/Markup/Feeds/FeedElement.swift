// An element of a feed document with its text and child elements.

final class FeedElement {
    enum Child {
        case text(String)
        case element(FeedElement)
    }

    /// The name in lowercase, with the prefix of `FeedNamespace`: `title`, `atom:title`, `media:content`.
    let name: String
    /// The name without prefix, as in the document.
    let local: String
    /// Named like elements; attributes without a prefix have none.
    let attributes: [(name: String, value: String)]
    /// The xml:base of this element or an ancestor; nil without one.
    let base: String?
    private(set) var children: [Child] = []

    init(name: String, local: String, attributes: [(name: String, value: String)], base: String?) {
        self.name = name
        self.local = local
        self.attributes = attributes
        self.base = base
    }

    func append(_ child: Child) {
        children.append(child)
    }

    func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    var elements: [FeedElement] {
        children.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    func all(_ name: String) -> [FeedElement] {
        elements.filter { $0.name == name }
    }

    func first(_ name: String) -> FeedElement? {
        for case .element(let element) in children where element.name == name { return element }
        return nil
    }

    /// All text, including that of descendants.
    var text: String {
        var text = ""
        for child in children {
            switch child {
            case .text(let part): text += part
            case .element(let element): text += element.text
            }
        }
        return text
    }

    /// The trimmed text of the first non-empty child with one of these names, in the order of the names.
    func text(_ names: String...) -> String? {
        for name in names {
            for element in all(name) {
                let text = FeedText.trim(element.text)
                if !text.isEmpty { return text }
            }
        }
        return nil
    }
}
