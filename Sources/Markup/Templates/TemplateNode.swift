// The syntax tree of a template: nodes of literal bytes or placeholders.

indirect enum TemplateNode: Sendable {
    case literal([UInt8])
    case value(TemplatePath, TemplateEscape, TemplateLocation)
    case when(TemplatePath, then: [TemplateNode], otherwise: [TemplateNode], TemplateLocation)
    case each(TemplatePath, body: [TemplateNode], empty: [TemplateNode], TemplateLocation)
    case partial(String, TemplatePath?, TemplateLocation)
    /// A partial that sees its arguments only.
    case call(String, [TemplateArgument], TemplateLocation)
    /// A block of a layout that pages fill; `TemplateLinker` replaces it with the fill.
    case block(String, [TemplateNode], TemplateLocation)
}

/// A value for a name of a partial.
struct TemplateArgument: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        /// Written in quotes in the template.
        case text(String)
        case path(TemplatePath)
        /// A name without a value.
        case flag
    }

    let name: String
    let value: Value

    /// `label="Title"`, `value=title` or `required`; nil if it is none of these.
    init?(_ text: Substring) {
        guard let match = text.wholeMatch(of: /([A-Za-z_]\w*)(?:=(?:"([^"]*)"|([^"]+)))?/) else { return nil }
        name = String(match.1)
        if let text = match.2 {
            value = .text(String(text))
        } else if let path = match.3 {
            guard let path = TemplatePath(path) else { return nil }
            value = .path(path)
        } else {
            value = .flag
        }
    }
}

struct TemplateFile: Sendable {
    let name: String
    var layout: (name: String, location: TemplateLocation)?
    var fills: [String: (nodes: [TemplateNode], location: TemplateLocation)] = [:]
    var nodes: [TemplateNode] = []
}

extension [TemplateNode] {
    /// Calls `visit` with every node, including nested nodes.
    func forEachNode(_ visit: (TemplateNode) -> Void) {
        for node in self {
            visit(node)
            switch node {
            case .when(_, let then, let otherwise, _):
                then.forEachNode(visit)
                otherwise.forEachNode(visit)
            case .each(_, let body, let empty, _):
                body.forEachNode(visit)
                empty.forEachNode(visit)
            case .block(_, let nodes, _): nodes.forEachNode(visit)
            case .literal, .value, .partial, .call: continue
            }
        }
    }
}
