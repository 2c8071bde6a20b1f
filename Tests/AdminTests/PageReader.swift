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

/// Reads bytes, because a test without optimization spends most of its time here otherwise.
struct PageReader {
    private(set) var forms: [PageForm] = []
    private(set) var links: [(url: String, text: String)] = []
    /// The attributes by which elements other than links and forms request something, also those of templates.
    private(set) var requests: [(attribute: String, url: String)] = []
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

    private static let requesting = ["src", "formaction", "data-live", "data-renew"]

    private let html: [UInt8]
    private var position = 0
    private var openForm: Int?
    /// What is in a template is no part of the page.
    private var isTemplate = false
    /// Controls with a form attribute, whose form may follow later.
    private var detached: [(form: String, control: PageControl)] = []

    init(_ html: String) {
        self.html = Array(html.utf8)
        while let found = nextTag() {
            if !isTemplate { text += Self.unescaped(found.text) }
            if let tag = found.tag { take(tag) }
        }
        for (id, control) in detached {
            if let index = forms.firstIndex(where: { $0.id == id }) { forms[index].controls.append(control) }
        }
    }

    private mutating func take(_ tag: Tag) {
        if tag.name == "template" { isTemplate = !tag.isEnd }
        guard !isTemplate else { return }
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
            let label = label(of: "button")
            let value = tag.attributes["value"] ?? ""
            add(PageControl(kind: .button, name: tag.attributes["name"] ?? "", value: value, label: label), tag)
        case ("title", false): title = content(of: "title")
        case ("a", false):
            let label = label(of: "a")
            text += label
            links.append((tag.attributes["href"] ?? "", label))
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
        while let found = nextTag() {
            guard let inner = found.tag else { continue }
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
    private mutating func content(of name: String) -> String {
        let end = Array("</\(name)>".utf8)
        let start = position
        while let open = find("<"), open + end.count <= html.count {
            position = open + 1
            guard html[open..<open + end.count].elementsEqual(end) else { continue }
            position = open + end.count
            return Self.unescaped(html[start..<open])
        }
        position = start
        return ""
    }

    /// The name of a button or link: its text without keys, and without what is shown for one of several choices.
    private mutating func label(of name: String) -> String {
        var (label, hidden) = ("", nil as String?)
        while let found = nextTag() {
            if hidden == nil { label += Self.unescaped(found.text) }
            guard let tag = found.tag else { continue }
            if tag.isEnd, tag.name == name { break }
            if tag.isEnd, tag.name == hidden { hidden = nil }
            let isKey = tag.name == "kbd" && tag.attributes["aria-hidden"] == "true"
            let isOtherChoice = tag.attributes["data-timing"] != nil && tag.attributes["data-default"] == nil
            if !tag.isEnd, isKey || isOtherChoice { hidden = tag.name }
        }
        return label
    }

    /// The text up to the next tag and that tag, which is nil for a `<` that begins none; nil at the end of the page.
    private mutating func nextTag() -> (text: ArraySlice<UInt8>, tag: Tag?)? {
        guard let start = find("<") else { return nil }
        let text = html[position..<start]
        position = start + 1
        return (text, readTag())
    }

    /// Reads behind `<`; nil for what is no tag.
    private mutating func readTag() -> Tag? {
        let isEnd = skip("/")
        let name = read { $0.isLetterOrDigit }.lowercased()
        guard !name.isEmpty else { return nil }
        var attributes: [String: String] = [:]
        while position < html.count, html[position] != UInt8(ascii: ">") {
            if html[position].isBlank || html[position] == UInt8(ascii: "/") {
                position += 1
                continue
            }
            let attribute = read {
                !$0.isBlank && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
            }
            .lowercased()
            attributes[attribute] = readValue()
            if Self.requesting.contains(attribute) { requests.append((attribute, attributes[attribute] ?? "")) }
        }
        position = min(position + 1, html.count)
        return Tag(name: name, attributes: attributes, isEnd: isEnd)
    }

    private mutating func readValue() -> String {
        guard skip("=") else { return "" }
        for quote in ["\"", "'"] as [Unicode.Scalar] where skip(quote) {
            let end = find(quote) ?? html.count
            defer { position = min(end + 1, html.count) }
            return Self.unescaped(html[position..<end])
        }
        return Self.unescaped(readBytes { !$0.isBlank && $0 != UInt8(ascii: ">") })
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < html.count, html[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func read(while isPart: (UInt8) -> Bool) -> String {
        String(decoding: readBytes(while: isPart), as: UTF8.self)
    }

    private mutating func readBytes(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < html.count, isPart(html[position]) { position += 1 }
        return html[start..<position]
    }

    /// The next position of an ASCII character.
    private func find(_ character: Unicode.Scalar) -> Int? {
        let byte = UInt8(ascii: character)
        return html.withUnsafeBufferPointer { html in
            var index = position
            while index < html.count {
                if html[index] == byte { return index }
                index += 1
            }
            return nil
        }
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // Most texts have none.
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&#13;", with: "\r").replacing("&amp;", with: "&")
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
