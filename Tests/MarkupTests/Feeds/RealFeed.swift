// The real feed documents next to the package, and their manifest.

import Foundation
import Testing

struct RealFeed: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    /// The number of items or entries in the manifest.
    var rows: Int
    var isWellFormed: Bool
    var isPage: Bool

    var testDescription: String { name }

    static let all: [RealFeed] = {
        guard let folder, let list = try? String(contentsOf: folder.appending(path: "SOURCES.md"), encoding: .utf8)
        else {
            return []
        }
        return list.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 8, let rows = Int(cells[6]),
                let data = try? Data(contentsOf: folder.appending(path: cells[0]))
            else { return nil }
            return RealFeed(
                name: cells[0], bytes: Array(data), rows: rows, isWellFormed: !cells[7].contains("NOT well-formed"),
                isPage: cells[7].contains("HTML page"))
        }
    }()

    /// `$VITRINE_DATA/feeds`, or `../shared/data/feeds` next to the package.
    private static var folder: URL? {
        var root = URL(filePath: #filePath).deletingLastPathComponent()
        while root.path != "/", !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path) {
            root.deleteLastPathComponent()
        }
        let given = ProcessInfo.processInfo.environment["VITRINE_DATA"].map { URL(filePath: $0) }
        let folder = (given ?? root.deletingLastPathComponent().appending(path: "shared/data")).appending(path: "feeds")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}
