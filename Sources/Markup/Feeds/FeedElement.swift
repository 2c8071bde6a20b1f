// An element of a feed document, with its texts and elements.

final class FeedElement {
    enum Child {
        case text(String)
        case element(FeedElement)
    }

    /// Lower case, with the prefix of `FeedNamespace`: `title`, `atom:title`, `media:content`.
    let name: String
    /// Without prefix and as the document writes it.
    let local: String
    /// Named as elements are; those without a prefix have none.
    let attributes: [(name: String, value: String)]
    /// What xml:base says here or further out; nil when it says nothing.
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

    /// All text in it, also that of inner elements.
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

    /// The text of the first element of one of these names, in their order, that has any; trimmed.
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
