// The syntax tree of a template: nodes of literal bytes or placeholders.

indirect enum TemplateNode: Sendable {
    case literal([UInt8])
    case value(TemplatePath, TemplateEscape, TemplateLocation)
    case when(TemplatePath, then: [TemplateNode], otherwise: [TemplateNode], TemplateLocation)
    case each(TemplatePath, body: [TemplateNode], empty: [TemplateNode], TemplateLocation)
    case partial(String, TemplatePath?, TemplateLocation)
    /// A block of a layout that pages fill; `TemplateLinker` replaces it with the fill.
    case block(String, [TemplateNode], TemplateLocation)
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
            case .literal, .value, .partial: continue
            }
        }
    }
}
