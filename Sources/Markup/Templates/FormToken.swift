// Adds the CSRF token and the form token to every form that a template posts, so that no form can lack them (S12).

enum FormToken {
    /// The hidden fields, from the context that all pages share.
    private static let fields =
        #"<input type="hidden" name="csrf" value="{{page.csrf}}"><input type="hidden" name="once" value="{{page.once}}">"#

    /// The source with the fields after the start tag of each `<form method="post">`.
    static func inserted(into source: String) -> String {
        var result = ""
        var rest = source[...]
        while let start = rest.firstRange(of: "<form")?.lowerBound {
            let end = endOfTag(in: rest[start...])
            let tag = rest[start..<end]
            result += rest[..<end]
            if tag.contains(#"method="post""#) { result += fields }
            rest = rest[end...]
        }
        return result + rest
    }

    /// After the `>` that ends the start tag; one in an attribute or in a template tag does not.
    static func endOfTag(in text: Substring) -> Substring.Index {
        var isQuoted = false
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "\"": isQuoted.toggle()
            case "{": depth += 1
            case "}": depth -= 1
            case ">" where !isQuoted && depth == 0: return text.index(after: index)
            default: continue
            }
        }
        return text.endIndex
    }
}
