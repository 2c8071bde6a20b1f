// All templates of a folder, parsed and linked once, ready to render.

import FoundationEssentials
import Localization

package final class TemplateSet: Sendable {
    /// By name: the path in the folder without `.html`.
    private let pages: [String: [TemplateNode]]

    /// Reads every `.html` file under `directory`, with the texts of the catalog (nil: English); of its subfolder `packs`
    /// only those of `packs`. `urls`: the patterns of the site's paths by name, for `{{url name}}`. Throws `TemplateFailure` with all errors of all files, and errors of
    /// the file system.
    package convenience init(
        directory: String, packs: [String] = [], urls: [String: String] = [:], catalog: MessageCatalog? = nil
    ) throws {
        let sources = try Self.sources(in: directory).filter { name, _ in
            !name.hasPrefix("packs/") || packs.contains { name.hasPrefix("packs/\($0)/") }
        }
        try self.init(sources: sources, urls: urls, catalog: catalog)
    }

    /// By name, the source of every `.html` file under `directory`.
    package static func sources(in directory: String) throws -> [String: String] {
        // A symbolic link to a folder lists no paths.
        let directory = URL(filePath: directory).resolvingSymlinksInPath().path
        var sources: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: directory) where path.hasSuffix(".html") {
            let bytes = try Data(contentsOf: URL(filePath: directory).appending(path: path))
            guard let source = String(validating: bytes, as: UTF8.self) else {
                let location = TemplateLocation.start(of: path)
                throw TemplateFailure(problems: [TemplateProblem(location: location, message: "the file is not UTF-8")])
            }
            sources[String(path.dropLast(".html".count))] = source
        }
        return sources
    }

    /// `sources` maps names to templates. Throws `TemplateFailure`.
    package init(sources: [String: String], urls: [String: String] = [:], catalog: MessageCatalog? = nil) throws {
        var files: [String: TemplateFile] = [:]
        var problems: [TemplateProblem] = []
        for (name, source) in sources {
            let text = catalog.map { catalog in
                TemplateMessages.translated(source) { catalog.text(of: $0.key, context: $0.context) }
            }
            let completed = CardTable.completed(FormToken.inserted(into: text ?? source))
            let (file, found) = TemplateParser.parse(completed, name: name, file: name + ".html", urls: urls)
            files[name] = file
            problems += found
        }
        let (pages, found) = TemplateLinker.link(files)
        problems += found
        guard problems.isEmpty else {
            throw TemplateFailure(
                // An error in a layout occurs once for each of its pages.
                problems: Set(problems).sorted {
                    ($0.location.file, $0.location.line, $0.location.column, $0.message)
                        < ($1.location.file, $1.location.line, $1.location.column, $1.message)
                })
        }
        self.pages = pages
    }

    /// In alphabetical order.
    package var names: [String] { pages.keys.sorted() }

    /// The page as UTF-8. Throws `TemplateProblem` for a name that the model lacks, and for a value that is not valid
    /// in
    /// its context.
    package func render(_ name: String, _ model: some Encodable) throws -> [UInt8] {
        guard let nodes = pages[name] else {
            throw TemplateProblem(location: .start(of: name + ".html"), message: "unknown template \(name)")
        }
        return try TemplateRenderer.render(nodes, with: pages, TemplateValue(encoding: model))
    }

    /// The names in the page, its layout and its partials (`title`, `item.title`), in alphabetical order. Empty for an
    /// unknown page.
    package func namesUsed(in name: String) -> [String] {
        var names: Set<String> = []
        var visited: Set<String> = []
        collectNames(of: name, into: &names, visited: &visited)
        return names.sorted()
    }

    private func collectNames(of page: String, into names: inout Set<String>, visited: inout Set<String>) {
        guard visited.insert(page).inserted, let nodes = pages[page] else { return }
        var partials: [String] = []
        nodes.forEachNode { node in
            switch node {
            case .value(let path, _, _), .when(let path, _, _, _), .each(let path, _, _, _):
                if case .name = path { names.insert(path.description) }
            case .partial(let name, let path, _):
                partials.append(name)
                if let path, case .name = path { names.insert(path.description) }
            case .call(let name, let arguments, _):
                partials.append(name)
                for case .path(.name(let path)) in arguments.map(\.value) { names.insert(path.joined(separator: ".")) }
            case .literal, .block: return
            }
        }
        for partial in partials { collectNames(of: partial, into: &names, visited: &visited) }
    }
}
