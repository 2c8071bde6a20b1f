// The project's own files, as the architecture tests read them.
import FoundationEssentials
import Glibc

struct SourceFile {
    /// From the package's root: `Sources/Store/Base/Page.swift`.
    let path: String
    let text: String
    let lines: [Substring]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
    }

    func contains(_ part: String) -> Bool { strstr(text, part) != nil }

    /// The folder under Sources or Tests.
    var module: String {
        let folders = path.split(separator: "/").dropFirst()
        guard folders.first == "Packs", let pack = folders.dropFirst().first else {
            return folders.first.map(String.init) ?? ""
        }
        return ["Registered", "None"].contains(pack) ? "Packs" : String(pack)
    }

    /// The module, or the folder of the same name in a pack; `Store` for the file that describes a pack.
    var layer: String {
        let folders = path.split(separator: "/")
        guard folders.count > 3, folders[1] == "Packs", module != "Packs" else { return module }
        return folders.count == 4 ? "Store" : String(folders[3])
    }

    var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

    var imports: [String] {
        lines.compactMap { line in
            let tokens = line.split(separator: " ")
            guard let at = tokens.firstIndex(of: "import"), at + 1 < tokens.count, line.first != "/",
                !line.hasPrefix(" ")
            else {
                return nil
            }
            return String(tokens[at + 1])
        }
    }

    static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    private static let all = ["Sources", "Tests", "Templates", "Config", "docs", "scripts"].flatMap { folder in
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        return paths.sorted().compactMap { file("\(folder)/\($0)") }
    }

    /// Every Swift file below Sources.
    static let sources = swift(in: "Sources")

    /// Every Swift file below a folder of the package.
    static func swift(in folder: String) -> [SourceFile] {
        files(in: folder).filter { $0.path.hasSuffix(".swift") }
    }

    /// Every text file below a folder of the package.
    static func files(in folder: String) -> [SourceFile] {
        all.filter { $0.path.hasPrefix(folder + "/") }
    }

    /// One file by its path from the package's root; nil when it is missing or not UTF-8.
    static func file(_ path: String) -> SourceFile? {
        guard let data = FileManager.default.contents(atPath: "\(root)/\(path)"),
            let text = String(validating: data, as: UTF8.self)
        else { return nil }
        return SourceFile(path: path, text: text)
    }
}
