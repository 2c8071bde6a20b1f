// Loads demo content from a folder: entries as "release import" does, submissions and what packs have from further files.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Packs
import Platform
import Store

struct DemoFolder: Sendable {
    struct Report: Sendable, Encodable {
        let set: String
        /// New and changed entries.
        let entries: Int
        var publication: Int64?
        var submissions = 0
        /// What packs recorded from further files: how many of what, such as observations.
        var recorded: [String: Int] = [:]
    }

    let name: String
    let path: String
    /// What {today} is, in all files, also when midnight passes meanwhile.
    private let now = Date()

    /// A JSON Feed with pending submissions. The member `_image` of an item names an image of the folder, as entries do.
    private static let submissions = "submissions.json"

    init(_ name: String, in directory: String) {
        self.name = name
        path = "\(directory)/\(name)"
    }

    /// All sets but those of packs that are not enabled; `core` first: others may refer to its content.
    static func all(in directory: String, _ packs: PackSet) throws(Failure) -> [DemoFolder] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            throw .missing("folder \(directory), or this user may not read it")
        }
        let sets = names.filter { !$0.hasPrefix(".") && $0 != "core" && !isOfOtherPack($0, packs) }.sorted()
        return (["core"] + sets).map { DemoFolder($0, in: directory) }
    }

    /// Whether the set belongs to a pack that is not enabled.
    private static func isOfOtherPack(_ name: String, _ packs: PackSet) -> Bool {
        !packs.contains(name) && RegisteredPacks.all.contains { $0.name == name }
    }

    func load(_ services: Services, by actor: Actor) async throws -> Report {
        if Self.isOfOtherPack(name, services.database.packs) {
            throw Failure.refused(
                code: "pack", message: "The pack \(name) is not enabled. Add it to the setting packs.")
        }
        guard let files = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw Failure.missing("demo content \"\(name)\"")
        }
        let imported = try await services.importRelease(
            ContentFolder(
                documents: files.filter { $0.hasSuffix(".json") && $0 != Self.submissions }, read: { try read($0) }),
            title: "Demo content: \(name)", isDryRun: false, publishTiming: .now,
            images: { try await services.ingestImage($0, name: $1, alt: $2, by: actor).media.id }, by: actor)
        var report = Report(
            set: name, entries: imported.entries.count { $0.state != "same" }, publication: imported.publication)
        let importer = Actor(kind: .system, name: "import", requestID: actor.requestID)
        if files.contains(Self.submissions) {
            let bytes = try read(Self.submissions)
            report.submissions = try await services.importFeed(
                bytes, origin: "demo", images: try await images(of: bytes, services, by: actor), by: importer
            ).submissions
        }
        for load in services.database.packs.parts(PackCommands.self).compactMap(\.loadDemo) {
            let counts = try await load(services, importer) { files.contains($0) ? try read($0) : nil }
            report.recorded.merge(counts) { $0 + $1 }
        }
        return report
    }

    /// The images of a feed's items by the ID of the item, added to the media library.
    private func images(
        of feed: [UInt8], _ services: Services, by actor: Actor
    ) async throws -> [String: JSONValue] {
        var images: [String: JSONValue] = [:]
        for item in try JSONValue(parsing: feed)["items"]?.arrayValue ?? [] {
            guard let id = item["id"]?.stringValue, let image = item["_image"], let path = image["media"]?.stringValue
            else { continue }
            let alt = image["alt"]?.stringValue ?? ""
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let media = try await services.ingestImage(try read(path), name: name, alt: alt, by: actor).media.id
            images[id] = .object(["media": .string(media.description), "alt": .string(alt)])
        }
        return images
    }

    /// The content of a file. In texts, `{today}`, `{today+5}` and `{today-2}` are dates.
    private func read(_ file: String) throws -> [UInt8] {
        let bytes = try FolderFiles(path).bytes(file)
        guard file.hasSuffix(".json") || file.hasSuffix(".csv") else { return bytes }
        let text = String(decoding: bytes, as: UTF8.self).replacing(#/\{today([+-]\d+)?\}/#) { match in
            let days = match.output.1.flatMap { Double($0) } ?? 0
            return InstantText.text(now.addingTimeInterval(days * 86_400), milliseconds: false).prefix(10)
        }
        return Array(text.utf8)
    }
}
