// The real documents that tests read: `$VITRINE_DATA`, or `../shared/data` next to the package.
import FoundationEssentials
import Testing

package enum TestData {
    package static let packageRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    private static let root = ProcessInfo.processInfo.environment["VITRINE_DATA"] ?? packageRoot + "/../shared/data"

    /// Without the folder, tests of real documents are skipped or read samples of ours, and the run says so. With the
    /// folder they run: a missing part of it fails.
    package static let exists = FileManager.default.fileExists(atPath: root)
    package static let missing: Comment = "no folder of real documents; VITRINE_DATA names one"

    package static func folder(_ name: String) -> String { "\(root)/\(name)" }

    /// The bytes of a file; empty when it is missing.
    package static func read(_ path: String) -> [UInt8] {
        FileManager.default.contents(atPath: "\(root)/\(path)").map { [UInt8]($0) } ?? []
    }
}
