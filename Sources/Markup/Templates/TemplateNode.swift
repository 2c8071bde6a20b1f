// The parsed form of a template: a list of nodes, each literal bytes or something to fill in.

indirect enum TemplateNode: Sendable {
    case literal([UInt8])
    case value(TemplatePath, TemplateEscape, TemplatePlace)
    case when(TemplatePath, then: [TemplateNode], otherwise: [TemplateNode], TemplatePlace)
    case each(TemplatePath, body: [TemplateNode], empty: [TemplateNode], TemplatePlace)
    case partial(String, TemplatePath?, TemplatePlace)
    /// A place of a layout that pages fill; `TemplateLinker` replaces it by what fills it.
    case block(String, [TemplateNode], TemplatePlace)
}

struct TemplateFile: Sendable {
    let name: String
    var layout: (name: String, place: TemplatePlace)?
    var fills: [String: (nodes: [TemplateNode], place: TemplatePlace)] = [:]
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
