// The modules of Package.swift with their dependencies and the layer that a comment above them names.

struct PackageManifest {
    struct Module {
        let name: String
        /// The comment above the module's group: `Foundations`, `Operations`, `Interfaces`.
        let layer: String
        let dependencies: Set<String>
    }

    /// In the order of the file.
    let modules: [Module]

    static let current = PackageManifest(text: SourceFile.file("Package.swift")?.text ?? "")

    /// Reads `module("Name", dependencies: [...])`; the list ends at the first `]`.
    init(text: String) {
        var modules: [Module] = []
        var layer = ""
        var ofPacks: Set<String> = []
        var rest = text[...]
        while let line = rest.firstIndex(of: "\n").map({ rest[..<$0] }) ?? (rest.isEmpty ? nil : rest) {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("// ") { layer = String(code.dropFirst(3)) }
            if code.hasPrefix("module("), let module = Self.module(rest, layer: layer) { modules.append(module) }
            // Every pack has the dependencies of the function; the example of a guide belongs to the tests.
            if code.hasPrefix("func pack("), let list = rest.firstRange(of: "dependencies:") {
                ofPacks = Self.names(in: rest[list.upperBound...])
            }
            if code.hasPrefix("pack("), !line.contains("path:"), let pack = Self.module(rest, layer: layer) {
                modules.append(Module(name: pack.name, layer: layer, dependencies: ofPacks))
            }
            rest = rest[line.endIndex...].dropFirst()
        }
        let packs = modules.filter { $0.layer == "Packs" }.map(\.name)
        if let last = modules.lastIndex(where: { $0.layer == "Packs" }) {
            modules.insert(Module(name: "Packs", layer: "Packs", dependencies: Set(packs + ["Store"])), at: last + 1)
        }
        self.modules = modules
    }

    private static func module(_ text: Substring, layer: String) -> Module? {
        let quoted = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard quoted.count == 3 else { return nil }
        let rest = quoted[2]
        // Without a list: `module("Diff"),` or `module("Diff", settings: optimized),`
        let hasList = rest.hasPrefix(", dependencies:") || rest.hasPrefix(",\n")
        return Module(name: String(quoted[1]), layer: layer, dependencies: hasList ? names(in: rest) : [])
    }

    /// The quoted names of the next list.
    private static func names(in text: Substring) -> Set<String> {
        guard let open = text.firstIndex(of: "["), let close = text[open...].firstIndex(of: "]") else { return [] }
        let parts = text[open..<close].split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        return Set(parts.filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) })
    }
}
