// Parses the forms, links and text of a page, as leniently as a browser.
import FoundationEssentials

struct PageControl: Sendable, Equatable {
    enum Kind: Sendable { case text, box, radio, button }

    let kind: Kind
    let name: String
    var value: String
    /// The label of a button.
    var label = ""
    var isOn = true
}

struct PageForm: Sendable {
    let id: String?
    let method: String
    let action: String
    var controls: [PageControl] = []

    struct NoControl: Error { let name: String }

    /// Types into a field, or chooses in a menu.
    mutating func fill(_ name: String, _ value: String) throws {
        guard let index = controls.firstIndex(where: { $0.name == name && $0.kind == .text }) else {
            throw NoControl(name: name)
        }
        controls[index].value = value
    }

    /// Ticks a box or a radio button, which unticks its fellows; `isOn` false unticks a box.
    mutating func tick(_ name: String, _ value: String, isOn: Bool = true) throws {
        guard let chosen = controls.firstIndex(where: { $0.name == name && $0.value == value }) else {
            throw NoControl(name: "\(name)=\(value)")
        }
        if controls[chosen].kind == .radio {
            for index in controls.indices where controls[index].name == name { controls[index].isOn = false }
        }
        controls[chosen].isOn = isOn
    }

    func value(_ name: String) -> String? { controls.first { $0.name == name && $0.isOn }?.value }

    /// The fields sent when the button with this label is pressed.
    func fields(pressing label: String?) throws -> [(String, String)] {
        var sent = controls.filter { $0.kind != .button && $0.isOn }
        if let label {
            guard let button = controls.first(where: { $0.kind == .button && $0.label == label }) else {
                throw NoControl(name: label)
            }
            sent.append(button)
        }
        return sent.filter { !$0.name.isEmpty }.map { ($0.name, $0.value) }
    }
}

struct PageReader {
    private(set) var forms: [PageForm] = []
    private(set) var links: [(url: String, text: String)] = []
    private(set) var title = ""
    /// The text without markup.
    private(set) var text = ""
    /// Names of all elements, to check that forbidden ones are absent.
    private(set) var elements: Set<String> = []

    private struct Tag {
        let name: String
        let attributes: [String: String]
        let isEnd: Bool
    }

    private var rest: Substring
    private var openForm: Int?
    /// Controls with a form attribute, whose form may follow later.
    private var detached: [(form: String, control: PageControl)] = []

    init(_ html: String) {
        rest = html[...]
        while let start = rest.firstIndex(of: "<") {
            text += Self.unescaped(rest[..<start])
            rest = rest[start...].dropFirst()
            if let tag = readTag() { take(tag) }
        }
        for (id, control) in detached {
            if let index = forms.firstIndex(where: { $0.id == id }) { forms[index].controls.append(control) }
        }
    }

    private mutating func take(_ tag: Tag) {
        elements.insert(tag.name)
        switch (tag.name, tag.isEnd) {
        case ("form", false):
            forms.append(
                PageForm(
                    id: tag.attributes["id"], method: (tag.attributes["method"] ?? "get").uppercased(),
                    action: tag.attributes["action"] ?? ""))
            openForm = forms.count - 1
        case ("form", true): openForm = nil
        case ("input", false): takeInput(tag)
        case ("textarea", false):
            var text = content(of: "textarea")
            if text.hasPrefix("\n") { text.removeFirst() }
            add(PageControl(kind: .text, name: tag.attributes["name"] ?? "", value: text), tag)
        case ("select", false): takeMenu(tag)
        case ("button", false):
            let label = content(of: "button", withoutTags: true)
            let value = tag.attributes["value"] ?? ""
            add(PageControl(kind: .button, name: tag.attributes["name"] ?? "", value: value, label: label), tag)
        case ("title", false): title = content(of: "title")
        case ("a", false):
            let position = text.endIndex
            let url = tag.attributes["href"] ?? ""
            let label = content(of: "a", withoutTags: true)
            text.insert(contentsOf: label, at: position)
            links.append((url, label))
        case ("script", false), ("style", false): _ = content(of: tag.name)
        default: break
        }
    }

    private mutating func takeInput(_ tag: Tag) {
        let isOn = tag.attributes["checked"] != nil
        let name = tag.attributes["name"] ?? ""
        let value = tag.attributes["value"] ?? "on"
        switch tag.attributes["type"] {
        case "checkbox": add(PageControl(kind: .box, name: name, value: value, isOn: isOn), tag)
        case "radio": add(PageControl(kind: .radio, name: name, value: value, isOn: isOn), tag)
        default: add(PageControl(kind: .text, name: name, value: tag.attributes["value"] ?? ""), tag)
        }
    }

    private mutating func takeMenu(_ tag: Tag) {
        var options: [(value: String, isChosen: Bool)] = []
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...].dropFirst()
            guard let inner = readTag() else { continue }
            if inner.name == "select", inner.isEnd { break }
            if inner.name == "option", !inner.isEnd {
                options.append((inner.attributes["value"] ?? "", inner.attributes["selected"] != nil))
            }
        }
        let chosen = options.first(where: \.isChosen) ?? options.first
        add(PageControl(kind: .text, name: tag.attributes["name"] ?? "", value: chosen?.value ?? ""), tag)
    }

    private mutating func add(_ control: PageControl, _ tag: Tag) {
        if let form = tag.attributes["form"] {
            detached.append((form, control))
        } else if let openForm {
            forms[openForm].controls.append(control)
        }
    }

    /// The text up to the end tag.
    private mutating func content(of name: String, withoutTags: Bool = false) -> String {
        guard let end = rest.firstRange(of: "</\(name)>") else { return "" }
        let text = rest[..<end.lowerBound]
        rest = rest[end.upperBound...]
        guard withoutTags, text.utf8.contains(UInt8(ascii: "<")) else { return Self.unescaped(text) }
        // The name has no keys, and the text of what is chosen only.
        let named = String(text).replacing(/<kbd [^>]*aria-hidden="true">[^<]*<\/kbd>/, with: "")
            .replacing(/<span data-timing="[a-z]*">[^<]*<\/span>/, with: "")
        return Self.unescaped(Substring(named.replacing(/<[^>]*>/, with: "")))
    }

    /// Reads behind `<`; nil for what is no tag.
    private mutating func readTag() -> Tag? {
        let isEnd = rest.first == "/"
        if isEnd { rest = rest.dropFirst() }
        let name = rest.prefix { $0.isLetter || $0.isNumber }
        guard !name.isEmpty else { return nil }
        rest = rest[name.endIndex...]
        var attributes: [String: String] = [:]
        while let next = rest.first, next != ">" {
            if next.isWhitespace || next == "/" {
                rest = rest.dropFirst()
                continue
            }
            let attribute = rest.prefix { !$0.isWhitespace && !"=>/".contains($0) }
            rest = rest[attribute.endIndex...]
            if attribute.isEmpty { rest = rest.dropFirst() }
            attributes[attribute.lowercased()] = readValue()
        }
        rest = rest.dropFirst()
        return Tag(name: name.lowercased(), attributes: attributes, isEnd: isEnd)
    }

    private mutating func readValue() -> String {
        guard rest.first == "=" else { return "" }
        rest = rest.dropFirst()
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            let value = rest.prefix { !$0.isWhitespace && $0 != ">" }
            rest = rest[value.endIndex...]
            return Self.unescaped(value)
        }
        rest = rest.dropFirst()
        let value = rest.prefix { $0 != quote }
        rest = rest[value.endIndex...].dropFirst()
        return Self.unescaped(value)
    }

    private static func unescaped(_ text: Substring) -> String {
        // Most texts have none, and searching six times is half the time of a test of pages.
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        return String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&#13;", with: "\r").replacing("&amp;", with: "&")
    }
}
