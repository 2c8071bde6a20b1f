// Combines pages with their layouts, and checks that all referenced layouts, partials and blocks exist.

struct TemplateLinker {
    private let files: [String: TemplateFile]
    private var problems: [TemplateProblem] = []

    static func link(_ files: [String: TemplateFile]) -> ([String: [TemplateNode]], [TemplateProblem]) {
        var linker = TemplateLinker(files: files)
        var pages: [String: [TemplateNode]] = [:]
        for (name, file) in files {
            linker.checkPartials(of: file)
            pages[name] = linker.linked(file)
        }
        return (pages, linker.problems)
    }

    private init(files: [String: TemplateFile]) {
        self.files = files
    }

    private mutating func checkPartials(of file: TemplateFile) {
        var found: [TemplateProblem] = []
        for nodes in [file.nodes] + file.fills.values.map(\.nodes) {
            nodes.forEachNode { node in
                switch node {
                case .partial(let name, _, let location):
                    guard let message = problem(ofPartial: name) else { return }
                    found.append(TemplateProblem(location: location, message: message))
                case .call(let name, let arguments, let location):
                    guard let message = problem(ofPartial: name) ?? problem(of: arguments, for: name) else { return }
                    found.append(TemplateProblem(location: location, message: message))
                default: return
                }
            }
        }
        problems += found
    }

    private func problem(ofPartial name: String) -> String? {
        guard let file = files[name] else { return "unknown template \(name)" }
        if file.layout != nil { return "\(name) has a layout: it is a page, not a partial" }
        return Self.blocks(of: file).isEmpty ? nil : "\(name) has a {{#block}}: it is a layout, not a partial"
    }

    private func problem(of arguments: [TemplateArgument], for partial: String) -> String? {
        let names = names(in: partial, visited: [])
        return arguments.first { !names.contains($0.name) }.map { "\(partial) uses no \($0.name)" }
    }

    /// The first names of all paths in a partial and in the partials that it includes without a value.
    private func names(in partial: String, visited: Set<String>) -> Set<String> {
        guard !visited.contains(partial), let file = files[partial] else { return [] }
        var names: Set<String> = []
        file.nodes.forEachNode { node in
            switch node {
            case .value(let path, _, _), .when(let path, _, _, _), .each(let path, _, _, _):
                if case .name(let path) = path { names.insert(path[0]) }
            case .partial(let name, nil, _): names.formUnion(self.names(in: name, visited: visited.union([partial])))
            default: return
            }
        }
        return names
    }

    private mutating func linked(_ file: TemplateFile) -> [TemplateNode] {
        // The page, its layout, the layout of the layout and so on.
        var chain = [file]
        while let last = chain.last, let layout = last.layout {
            guard let next = files[layout.name] else {
                problems.append(TemplateProblem(location: layout.location, message: "unknown layout \(layout.name)"))
                return []
            }
            guard !chain.contains(where: { $0.name == next.name }) else {
                problems.append(TemplateProblem(location: layout.location, message: "this layout contains itself"))
                return []
            }
            chain.append(next)
        }
        checkFills(of: file, in: chain.dropFirst())
        guard let outermost = chain.last else { return [] }
        return filled(outermost.nodes, from: chain.dropLast())
    }

    private mutating func checkFills(of file: TemplateFile, in layouts: ArraySlice<TemplateFile>) {
        guard let layout = file.layout else { return }
        let blocks = layouts.reduce(into: Set<String>()) { $0.formUnion(Self.blocks(of: $1)) }
        for (name, fill) in file.fills where !blocks.contains(name) {
            problems.append(
                TemplateProblem(location: fill.location, message: "the layout \(layout.name) has no block \(name)"))
        }
    }

    /// Replaces every block with the fill of the first file that has one, or with its default.
    private func filled(_ nodes: [TemplateNode], from chain: ArraySlice<TemplateFile>) -> [TemplateNode] {
        nodes.flatMap { node -> [TemplateNode] in
            switch node {
            case .block(let name, let standard, _):
                guard let index = chain.firstIndex(where: { $0.fills[name] != nil }),
                    let fill = chain[index].fills[name]
                else { return filled(standard, from: chain) }
                // A fill may contain blocks for the files before its own.
                return filled(fill.nodes, from: chain[..<index])
            case .when(let path, let then, let otherwise, let location):
                return [
                    .when(path, then: filled(then, from: chain), otherwise: filled(otherwise, from: chain), location)
                ]
            case .each(let path, let body, let empty, let location):
                return [.each(path, body: filled(body, from: chain), empty: filled(empty, from: chain), location)]
            case .literal, .value, .partial, .call: return [node]
            }
        }
    }

    private static func blocks(of file: TemplateFile) -> Set<String> {
        var names: Set<String> = []
        for nodes in [file.nodes] + file.fills.values.map(\.nodes) {
            nodes.forEachNode { node in
                if case .block(let name, _, _) = node { names.insert(name) }
            }
        }
        return names
    }
}
