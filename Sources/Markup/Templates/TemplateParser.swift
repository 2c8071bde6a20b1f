// Parses one template file into nodes, finding the escaping of every value and everything that is wrong with it.

struct TemplateParser {
    private var file: TemplateFile
    private var tokens: ArraySlice<TemplateToken>
    private var problems: [TemplateProblem]
    private var context = TemplateContext()
    /// The blocks that are open, outermost first.
    private var open: [OpenBlock] = []

    private struct OpenBlock {
        let keyword: String
        let place: TemplateLocation
        var isInElse = false
    }

    /// How the list of nodes of a branch ended.
    private enum BranchEnd: Equatable { case close, otherwise, endOfFile }

    static func parse(_ source: String, name: String, file path: String) -> (TemplateFile, [TemplateProblem]) {
        let (tokens, problems) = TemplateLexer.tokens(of: source, file: path)
        var parser = TemplateParser(file: TemplateFile(name: name), tokens: tokens[...], problems: problems)
        parser.parseFile(end: TemplateLocation.start(of: path).advanced(over: source[...]))
        return (parser.file, parser.problems)
    }

    private init(file: TemplateFile, tokens: ArraySlice<TemplateToken>, problems: [TemplateProblem]) {
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
            report("{{#fill}} needs a {{#layout}} at the beginning of the file", fill.place)
        }
    }

    /// A page with a layout has nowhere to show what stands outside its fills.
    private mutating func checkOnlyFills(at place: TemplateLocation) {
        for node in file.nodes {
            if case .literal(let bytes) = node, bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
                continue
            }
            report("everything in a file with a {{#layout}} must stand in a {{#fill}}", place)
            return
        }
    }

    /// Parses up to the tag that ends this branch, that tag included.
    private mutating func parseBranch() -> ([TemplateNode], BranchEnd) {
        var nodes: [TemplateNode] = []
        while let token = tokens.popFirst() {
            switch token {
            case .text(let text, let place):
                nodes.append(.literal(Array(text.utf8)))
                readText(text, place)
            case .tag(.comment, _): continue
            case .tag(.value(let path), let place):
                guardLineEnd(&nodes)
                checkLoop(path, place)
                attempt(at: place) { context throws(TemplateContextError) in
                    nodes.append(.value(path, try context.readValue(), place))
                }
            case .tag(.partial(let name, let path), let place):
                guardLineEnd(&nodes)
                if let path { checkLoop(path, place) }
                requireText("{{>}}", place)
                nodes.append(.partial(name, path, place))
            case .tag(.layout(let name), let place):
                let isFirst = nodes.isEmpty && open.isEmpty && file.layout == nil && file.fills.isEmpty
                if !isFirst { report("{{#layout}} must be the first thing in a file", place) }
                file.layout = (name, place)
            case .tag(.open(let block), let place):
                guardLineEnd(&nodes)
                parse(block, place, into: &nodes)
            case .tag(.otherwise, let place):
                if let block = open.last, !block.isInElse, ["if", "unless", "each"].contains(block.keyword) {
                    return (nodes, .otherwise)
                }
                report("{{else}} may stand once in {{#if}}, {{#unless}} or {{#each}}", place)
            case .tag(.close(let keyword), let place):
                guard let opened = open.last else {
                    report("{{/\(keyword)}} closes nothing", place)
                    continue
                }
                if opened.keyword != keyword {
                    report("{{/\(keyword)}} cannot close {{#\(opened.keyword)}} of line \(opened.place.line)", place)
                }
                open.removeLast()
                return (nodes, .close)
            }
        }
        return (nodes, .endOfFile)
    }

    /// A browser drops a line end here; given one of ours, it leaves that of a value alone.
    private mutating func guardLineEnd(_ nodes: inout [TemplateNode]) {
        if context.takeSwallowedLineEnd() { nodes.append(.literal([UInt8(ascii: "\n")])) }
    }

    private mutating func parse(_ block: TemplateBlock, _ place: TemplateLocation, into nodes: inout [TemplateNode]) {
        switch block {
        case .when(let path):
            let (then, otherwise) = parseBranches(block, path, place, repeated: false)
            nodes.append(.when(path, then: then, otherwise: otherwise, place))
        case .unless(let path):
            let (then, otherwise) = parseBranches(block, path, place, repeated: false)
            nodes.append(.when(path, then: otherwise, otherwise: then, place))
        case .each(let path):
            let (body, empty) = parseBranches(block, path, place, repeated: true)
            nodes.append(.each(path, body: body, empty: empty, place))
        case .block(let name):
            if !context.isTextOrPlain { report("{{#block}} may stand only in text", place) }
            nodes.append(.block(name, parseBody(block, place), place))
        case .fill(let name):
            if !open.isEmpty { report("{{#fill}} may not stand in another block", place) }
            requireText("{{#fill}}", place)
            if file.fills[name] != nil { report("\(name) is filled twice", place) }
            file.fills[name] = (parseBody(block, place), place)
        }
    }

    private mutating func parseBranches(
        _ block: TemplateBlock, _ path: TemplatePath, _ place: TemplateLocation, repeated: Bool
    ) -> (first: [TemplateNode], second: [TemplateNode]) {
        checkLoop(path, place)
        attempt(at: place) { context throws(TemplateContextError) in try context.openBlock(repeated: repeated) }
        let entry = context
        open.append(OpenBlock(keyword: block.keyword, place: place))
        var (first, end) = parseBranch()
        closeBranch(place)
        let afterFirst = context
        context = entry
        var second: [TemplateNode] = []
        if end == .otherwise {
            open[open.count - 1].isInElse = true
            (second, end) = parseBranch()
            closeBranch(place)
        }
        attempt(at: place) { context throws(TemplateContextError) in
            context = try context.joined(with: afterFirst)
            if repeated { _ = try entry.joined(with: afterFirst) }
        }
        if end == .endOfFile { reportUnclosed(block, place) }
        return (first, second)
    }

    private mutating func parseBody(_ block: TemplateBlock, _ place: TemplateLocation) -> [TemplateNode] {
        let entry = context
        open.append(OpenBlock(keyword: block.keyword, place: place))
        let (nodes, end) = parseBranch()
        closeBranch(place)
        attempt(at: place) { context throws(TemplateContextError) in context = try entry.joined(with: context) }
        if end == .endOfFile { reportUnclosed(block, place) }
        return nodes
    }

    private mutating func readText(_ text: Substring, _ place: TemplateLocation) {
        for (index, byte) in zip(text.utf8.indices, text.utf8) {
            do {
                try context.read(byte)
            } catch {
                report(error.message, place.advanced(over: text[..<index]))
            }
        }
    }

    private mutating func closeBranch(_ place: TemplateLocation) {
        attempt(at: place) { context throws(TemplateContextError) in try context.closeBranch() }
    }

    /// The loop's own names mean nothing in the {{else}} of an {{#each}}, which stands for an empty list.
    private mutating func checkLoop(_ path: TemplatePath, _ place: TemplateLocation) {
        if path.isOfLoop, !open.contains(where: { $0.keyword == "each" && !$0.isInElse }) {
            report("\(path) means something only inside {{#each}}", place)
        }
    }

    private mutating func requireText(_ tag: String, _ place: TemplateLocation) {
        if !context.isText { report("\(tag) may stand only in text", place) }
    }

    private mutating func reportUnclosed(_ block: TemplateBlock, _ place: TemplateLocation) {
        report("{{#\(block.keyword)}} is never closed", place)
    }

    private mutating func attempt(
        at place: TemplateLocation, _ step: (inout TemplateContext) throws(TemplateContextError) -> Void
    ) {
        do { try step(&context) } catch { report(error.message, place) }
    }

    private mutating func report(_ message: String, _ place: TemplateLocation) {
        problems.append(TemplateProblem(place: place, message: message))
    }
}
