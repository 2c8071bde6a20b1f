// Writes a Swift file with the bytes of files: `embed-resources OUTPUT FILE...`. Run by the plugin of the same name.
import Foundation

@main
enum EmbedResources {
    static func main() throws {
        var text = "struct PackageResources {\n"
        for path in CommandLine.arguments.dropFirst(2).sorted() {
            // `audit.sql` is `audit_sql`; two of one name don't compile.
            let name = path.split(separator: "/").last ?? ""
            let identifier = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            let content = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            text += "    static let \(identifier) = Array(##\"\"\"\n\(content)\n\"\"\"##.utf8)\n"
        }
        try (text + "}\n").write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
    }
}
