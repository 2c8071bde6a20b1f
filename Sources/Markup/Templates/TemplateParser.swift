// Parses one template file into nodes, determines the escaping of every value and collects errors.

struct TemplateParser {
    private var file: TemplateFile
    private var tokens: ArraySlice<TemplateToken>
    private var problems: [TemplateProblem]
    /// The patterns of the site's paths by name, for `{{url name}}`.
    private let urls: [String: String]
    private var context = TemplateContext()
    /// The open blocks, outermost first.
    private var open: [OpenBlock] = []

    private struct OpenBlock {
        let keyword: String
        let location: TemplateLocation
        var isInElse = false
    }

    /// How a branch ended.
    private enum BranchEnd: Equatable { case close, otherwise, endOfFile }

    static func parse(
        _ source: String, name: String, file path: String, urls: [String: String]
    ) -> (TemplateFile, [TemplateProblem]) {
        let (tokens, problems) = TemplateLexer.tokens(of: source, file: path)
        var parser = TemplateParser(file: TemplateFile(name: name), tokens: tokens[...], problems: problems, urls: urls)
        parser.parseFile(end: TemplateLocation.start(of: path).advanced(over: source[...]))
        return (parser.file, parser.problems)
    }

    private init(
        file: TemplateFile, tokens: ArraySlice<TemplateToken>, problems: [TemplateProblem], urls: [String: String]
    ) {
        self.urls = urls
        self.file = file
        self.tokens = tokens
        self.problems = problems
    }

    private mutating func parseFile(end: TemplateLocation) {
        while true {
            let (nodes, ending) = parseBranch()
            file.nodes += nodes
            if ending == .endOfFile { break }
        }
        if !context.isText { report("the file must end in text, after every tag and comment is closed", end) }
        if file.layout != nil { checkOnlyFills(at: end) }
        if file.layout == nil, let fill = file.fills.values.first {
            report("{{#fill}} requires a {{#layout}} at the start of the file", fill.location)
        }
    }

    /// A page with a layout cannot show content outside its fills.
    private mutating func checkOnlyFills(at location: TemplateLocation) {
        for node in file.nodes {
            if case .literal(let bytes) = node, bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
                continue
            }
            report("everything in a file with a {{#layout}} must be inside a {{#fill}}", location)
            return
        }
    }

    /// Parses up to and including the tag that ends this branch.
    private mutating func parseBranch() -> ([TemplateNode], BranchEnd) {
        var nodes: [TemplateNode] = []
        while let token = tokens.popFirst() {
            switch token {
            case .text(let text, let location):
                nodes.append(.literal(Array(text.utf8)))
                readText(text, location)
            case .tag(.comment, _): continue
            case .tag(.value(let path), let location):
                guardLineEnd(&nodes)
                checkLoop(path, location)
                attempt(at: location) { context throws(TemplateContextError) in
                    nodes.append(.value(path, try context.readValue(), location))
                }
            case .tag(.url(let name, let paths), let location):
                guardLineEnd(&nodes)
                nodes += url(name, paths, location)
            case .tag(.partial(let name, let path), let location):
                guardLineEnd(&nodes)
                if let path { checkLoop(path, location) }
                requireText("{{>}}", location)
                nodes.append(.partial(name, path, location))
            case .tag(.call(let name, let arguments), let location):
                guardLineEnd(&nodes)
                for case .path(let path) in arguments.map(\.value) { checkLoop(path, location) }
                requireText("{{>}}", location)
                nodes.append(.call(name, arguments, location))
            case .tag(.layout(let name), let location):
                let isFirst = nodes.isEmpty && open.isEmpty && file.layout == nil && file.fills.isEmpty
                if !isFirst { report("{{#layout}} must be the first thing in a file", location) }
                file.layout = (name, location)
            case .tag(.open(let block), let location):
                guardLineEnd(&nodes)
                parse(block, location, into: &nodes)
            case .tag(.otherwise, let location):
                if let block = open.last, !block.isInElse, ["if", "unless", "each"].contains(block.keyword) {
                    return (nodes, .otherwise)
                }
                report("{{else}} is only allowed once, in {{#if}}, {{#unless}} or {{#each}}", location)
            case .tag(.close(let keyword), let location):
                guard let opened = open.last else {
                    report("{{/\(keyword)}} closes nothing", location)
                    continue
                }
                if opened.keyword != keyword {
                    report(
                        "{{/\(keyword)}} cannot close {{#\(opened.keyword)}} of line \(opened.location.line)", location)
                }
                open.removeLast()
                return (nodes, .close)
            }
        }
        return (nodes, .endOfFile)
    }

    /// The pattern as literals, with a value for each of its `{parameters}`.
    private mutating func url(
        _ name: String, _ paths: [TemplatePath], _ location: TemplateLocation
    ) -> [TemplateNode] {
        for path in paths { checkLoop(path, location) }
        attempt(at: location) { context throws(TemplateContextError) in
            guard [.url, .attribute].contains(try context.readValue()) else {
                throw TemplateContextError(message: "{{url}} is only allowed at the start of an attribute")
            }
        }
        guard let pattern = urls[name] else {
            report("no page is named \(name)", location)
            return []
        }
        let literals = pattern.replacing(/{\w+}/, with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        guard literals.count == paths.count + 1 else {
            report("\(name) is \(pattern), with other parameters than \(paths.count)", location)
            return []
        }
        let values = paths.map { TemplateNode.value($0, .pathSegment, location) }
        return zip(literals, values + [.literal([])]).flatMap { [.literal(Array($0.utf8)), $1] }
    }

    /// A browser drops a line ending here; adding one preserves the line ending of a value.
    private mutating func guardLineEnd(_ nodes: inout [TemplateNode]) {
        if context.takeSwallowedLineEnd() { nodes.append(.literal([UInt8(ascii: "\n")])) }
    }

    private mutating func parse(_ block: TemplateBlock, _ location: TemplateLocation, into nodes: inout [TemplateNode])
    {
        switch block {
        case .when(let path):
            let (then, otherwise) = parseBranches(block, path, location, repeated: false)
            nodes.append(.when(path, then: then, otherwise: otherwise, location))
        case .unless(let path):
            let (then, otherwise) = parseBranches(block, path, location, repeated: false)
            nodes.append(.when(path, then: otherwise, otherwise: then, location))
        case .each(let path):
            let (body, empty) = parseBranches(block, path, location, repeated: true)
            nodes.append(.each(path, body: body, empty: empty, location))
        case .block(let name):
            if !context.isTextOrPlain { report("{{#block}} is only allowed in text", location) }
            nodes.append(.block(name, parseBody(block, location), location))
        case .fill(let name):
            if !open.isEmpty { report("{{#fill}} is not allowed inside another block", location) }
            requireText("{{#fill}}", location)
            if file.fills[name] != nil { report("\(name) is filled twice", location) }
            file.fills[name] = (parseBody(block, location), location)
        }
    }

    private mutating func parseBranches(
        _ block: TemplateBlock, _ path: TemplatePath, _ location: TemplateLocation, repeated: Bool
    ) -> (first: [TemplateNode], second: [TemplateNode]) {
        checkLoop(path, location)
        attempt(at: location) { context throws(TemplateContextError) in try context.openBlock(repeated: repeated) }
        let entry = context
        open.append(OpenBlock(keyword: block.keyword, location: location))
        var (first, end) = parseBranch()
        closeBranch(location)
        let afterFirst = context
        context = entry
        var second: [TemplateNode] = []
        if end == .otherwise {
            open[open.count - 1].isInElse = true
            (second, end) = parseBranch()
            closeBranch(location)
        }
        attempt(at: location) { context throws(TemplateContextError) in
            context = try context.joined(with: afterFirst)
            if repeated { _ = try entry.joined(with: afterFirst) }
        }
        if end == .endOfFile { reportUnclosed(block, location) }
        return (first, second)
    }

    private mutating func parseBody(_ block: TemplateBlock, _ location: TemplateLocation) -> [TemplateNode] {
        let entry = context
        open.append(OpenBlock(keyword: block.keyword, location: location))
        let (nodes, end) = parseBranch()
        closeBranch(location)
        attempt(at: location) { context throws(TemplateContextError) in context = try entry.joined(with: context) }
        if end == .endOfFile { reportUnclosed(block, location) }
        return nodes
    }

    private mutating func readText(_ text: Substring, _ location: TemplateLocation) {
        for (index, byte) in zip(text.utf8.indices, text.utf8) {
            do {
                try context.read(byte)
            } catch {
                report(error.message, location.advanced(over: text[..<index]))
            }
        }
    }

    private mutating func closeBranch(_ location: TemplateLocation) {
        attempt(at: location) { context throws(TemplateContextError) in try context.closeBranch() }
    }

    /// The loop variables are not valid in the {{else}} of an {{#each}}, which is used for an empty list.
    private mutating func checkLoop(_ path: TemplatePath, _ location: TemplateLocation) {
        if path.isOfLoop, !open.contains(where: { $0.keyword == "each" && !$0.isInElse }) {
            report("\(path) is only valid inside {{#each}}", location)
        }
    }

    private mutating func requireText(_ tag: String, _ location: TemplateLocation) {
        if !context.isText { report("\(tag) is only allowed in text", location) }
    }

    private mutating func reportUnclosed(_ block: TemplateBlock, _ location: TemplateLocation) {
        report("{{#\(block.keyword)}} is never closed", location)
    }

    private mutating func attempt(
        at location: TemplateLocation, _ step: (inout TemplateContext) throws(TemplateContextError) -> Void
    ) {
        do { try step(&context) } catch { report(error.message, location) }
    }

    private mutating func report(_ message: String, _ location: TemplateLocation) {
        problems.append(TemplateProblem(location: location, message: message))
    }
}
