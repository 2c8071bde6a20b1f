// The parsed form of a template: a list of nodes, each literal bytes or something to fill in.

indirect enum TemplateNode: Sendable {
    case literal([UInt8])
    case value(TemplatePath, TemplateEscape, TemplateLocation)
    case when(TemplatePath, then: [TemplateNode], otherwise: [TemplateNode], TemplateLocation)
    case each(TemplatePath, body: [TemplateNode], empty: [TemplateNode], TemplateLocation)
    case partial(String, TemplatePath?, TemplateLocation)
    /// A place of a layout that pages fill; `TemplateLinker` replaces it by what fills it.
    case block(String, [TemplateNode], TemplateLocation)
}

struct TemplateFile: Sendable {
    let name: String
    var layout: (name: String, place: TemplateLocation)?
    var fills: [String: (nodes: [TemplateNode], place: TemplateLocation)] = [:]
    var nodes: [TemplateNode] = []
}

extension [TemplateNode] {
    /// Calls `visit` with every node, the nested ones too.
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
