// Renders a parsed template, escaping each value for its context.

struct TemplateRenderer {
    private let pages: [String: [TemplateNode]]
    private var output: [UInt8] = []
    private var scopes: [Scope]
    private var depth = 0

    /// A value whose names are in scope, and its position in the list if it is an item.
    private struct Scope {
        let value: TemplateValue
        var index: Int?
        var count = 0
        /// The arguments of a partial; other names are nil in it.
        var isArguments = false
    }

    /// The maximum depth of partials, which may include themselves to render trees.
    private static let maximumDepth = 100

    static func render(
        _ nodes: [TemplateNode], with pages: [String: [TemplateNode]], _ model: TemplateValue
    ) throws(TemplateProblem) -> [UInt8] {
        var renderer = TemplateRenderer(pages: pages, model: model)
        try renderer.render(nodes)
        return renderer.output
    }

    private init(pages: [String: [TemplateNode]], model: TemplateValue) {
        self.pages = pages
        scopes = [Scope(value: model)]
        output.reserveCapacity(16 * 1024)
    }

    private mutating func render(_ nodes: [TemplateNode]) throws(TemplateProblem) {
        for node in nodes {
            switch node {
            case .literal(let bytes): output.append(contentsOf: bytes)
            case .value(let path, let escape, let location): try write(value(path, location), path, escape, location)
            case .when(let path, let then, let otherwise, let location):
                try render(value(path, location).isTrue ? then : otherwise)
            case .each(let path, let body, let empty, let location): try repeated(path, body, empty, location)
            case .partial(let name, let path, let location): try renderPartial(name, path, location)
            case .call(let name, let arguments, let location): try call(name, arguments, location)
            case .block(_, let nodes, _): try render(nodes)
            }
        }
    }

    private mutating func repeated(
        _ path: TemplatePath, _ body: [TemplateNode], _ empty: [TemplateNode], _ location: TemplateLocation
    ) throws(TemplateProblem) {
        let items: [TemplateValue]
        switch try value(path, location) {
        case .array(let values): items = values
        case .null: items = []
        default: throw TemplateProblem(location: location, message: "\(path) is not a list")
        }
        if items.isEmpty { return try render(empty) }
        for (index, item) in items.enumerated() {
            scopes.append(Scope(value: item, index: index, count: items.count))
            try render(body)
            scopes.removeLast()
        }
    }

    private mutating func renderPartial(
        _ name: String, _ path: TemplatePath?, _ location: TemplateLocation
    ) throws(TemplateProblem) {
        guard let nodes = pages[name] else {
            throw TemplateProblem(location: location, message: "unknown template \(name)")
        }
        guard depth < Self.maximumDepth else {
            throw TemplateProblem(location: location, message: "\(name) includes itself too deeply")
        }
        depth += 1
        if let path {
            scopes.append(Scope(value: try value(path, location)))
            try render(nodes)
            scopes.removeLast()
        } else {
            try render(nodes)
        }
        depth -= 1
    }

    private mutating func call(
        _ name: String, _ arguments: [TemplateArgument], _ location: TemplateLocation
    ) throws(TemplateProblem) {
        var fields: [String: TemplateValue] = [:]
        for argument in arguments {
            switch argument.value {
            case .text(let text): fields[argument.name] = .string(text)
            case .path(let path): fields[argument.name] = try value(path, location)
            case .flag: fields[argument.name] = .bool(true)
            }
        }
        let outer = scopes
        scopes = [Scope(value: .object(fields), isArguments: true)]
        try renderPartial(name, nil, location)
        scopes = outer
    }

    private func value(_ path: TemplatePath, _ location: TemplateLocation) throws(TemplateProblem) -> TemplateValue {
        switch path {
        case .name(let names):
            for scope in scopes.reversed() {
                if case .object(let fields) = scope.value, let first = fields[names[0]] {
                    return try member(names.dropFirst(), of: first, path, location)
                }
            }
            if scopes.first?.isArguments == true { return .null }
            throw TemplateProblem(location: location, message: "unknown value \(path)")
        case .this(let names):
            return try member(names[...], of: scopes.last?.value ?? .null, path, location)
        case .first, .last, .number:
            guard let scope = scopes.last(where: { $0.index != nil }), let index = scope.index else {
                throw TemplateProblem(location: location, message: "\(path) is only valid inside {{#each}}")
            }
            switch path {
            case .first: return .bool(index == 0)
            case .last: return .bool(index == scope.count - 1)
            default: return .int(index + 1)
            }
        }
    }

    /// Members of nil are nil; any other value must have the name.
    private func member(
        _ names: ArraySlice<String>, of value: TemplateValue, _ path: TemplatePath, _ location: TemplateLocation
    ) throws(TemplateProblem) -> TemplateValue {
        var value = value
        for name in names {
            if case .null = value { return .null }
            guard case .object(let fields) = value, let next = fields[name] else {
                throw TemplateProblem(location: location, message: "unknown value \(path)")
            }
            value = next
        }
        return value
    }

    private mutating func write(
        _ value: TemplateValue, _ path: TemplatePath, _ escape: TemplateEscape, _ location: TemplateLocation
    ) throws(TemplateProblem) {
        guard let text = value.text else {
            throw TemplateProblem(location: location, message: "\(path) is a list or an object, not a string")
        }
        switch escape {
        case .text:
            if case .html = value {
                output.append(contentsOf: text.utf8)
            } else {
                HTMLEscape.append(text, inAttribute: false, to: &output)
            }
        case .plain: HTMLEscape.append(text, inAttribute: false, to: &output)
        case .attribute: HTMLEscape.append(text, inAttribute: true, to: &output)
        case .url: HTMLEscape.append(LinkURL.onPage(text), inAttribute: true, to: &output)
        case .urlComponent: LinkURL.appendComponent(text, to: &output)
        case .pathSegment:
            if text.isEmpty { throw TemplateProblem(location: location, message: "\(path) is empty in a {{url}}") }
            LinkURL.appendComponent(text, to: &output)
        }
    }
}
