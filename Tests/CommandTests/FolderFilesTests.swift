// Tests that imports of a folder read nothing outside it.
import CommandKit
import Domain
import FoundationEssentials
import Glibc
import Postgres
import TestSupport
import Testing

@Suite("Imported folders", .databases)
struct FolderFilesTests {
    private static let outside = [
        "../secret.png", "images/../../secret.png", "/etc/hostname", "link.png", "linked/secret.png", "pipe.png",
        "images", "a.json/secret.png", "sail.png\u{0}/../secret.png",
    ]

    /// A folder with a file of its own, a file beside it, and several ways to that one.
    private func folder(in world: CommandWorld) throws -> String {
        let files = FileManager.default
        let folder = "\(world.folder)/\(world.unique())/spring"
        try files.createDirectory(atPath: folder + "/images", withIntermediateDirectories: true)
        _ = files.createFile(atPath: folder + "/../secret.png", contents: Data(SmallImage.bytes))
        _ = files.createFile(atPath: folder + "/images/sail.png", contents: Data("sail".utf8))
        _ = files.createFile(atPath: folder + "/a.json", contents: Data("{}".utf8))
        try files.createSymbolicLink(atPath: folder + "/link.png", withDestinationPath: "../secret.png")
        try files.createSymbolicLink(atPath: folder + "/linked", withDestinationPath: "..")
        try #require(mkfifo(folder + "/pipe.png", 0o600) == 0)
        return folder
    }

    @Test("A file is read by its path inside the folder; whatever leads out of it is refused by name")
    func reading() async throws {
        let world = try await CommandWorld.make()
        // It removes its folders when it goes.
        defer { withExtendedLifetime(world) {} }
        let folder = try folder(in: world)
        let files = FolderFiles(folder)
        for path in ["images/sail.png", "./images//sail.png"] {
            #expect(try files.bytes(path) == Array("sail".utf8))
        }
        for path in Self.outside {
            let failure = #expect(throws: Failure.self) { try files.bytes(path) }
            #expect(failure?.sentence.hasPrefix("\"\(path)\" is not a file inside") == true, "\(path)")
        }
        #expect(throws: Failure.unreadable("\(folder)/none.png")) { try files.bytes("none.png") }
    }

    @Test("An image or a document outside the folder is refused, and nothing is imported")
    func importing() async throws {
        let world = try await CommandWorld.make()
        let folder = try folder(in: world)
        for path in Self.outside where !path.contains("\u{0}") {
            let article =
                #"{"entries":[{"type":"article","content":{"title":"A","body":"<p>B</p>","image":{"media":"\#(path)"}}}]}"#
            _ = FileManager.default.createFile(atPath: folder + "/a.json", contents: Data(article.utf8))
            let run = try await world.run(["release", "import", folder, "--publish"])
            #expect(run.code == .conflict && run.error.contains("\"\(path)\" is not a file inside"), "\(run.error)")
        }
        try FileManager.default.createSymbolicLink(atPath: folder + "/b.json", withDestinationPath: "a.json")
        let run = try await world.run(["release", "import", folder, "--publish"])
        #expect(run.code == .conflict && run.error.contains("\"b.json\""), "\(run.error)")
        let images: Int = try await world.test.client.one("select count(*) as n from ops.media")("n")
        #expect(images == 0)
    }

    @Test("A linked GPX file of a folder is refused, and the others are imported", .packs(.routes))
    func routes() async throws {
        let world = try await CommandWorld.make()
        let folder = try folder(in: world)
        try FileManager.default.createSymbolicLink(atPath: folder + "/loop.gpx", withDestinationPath: "../loop.gpx")
        let run = try await world.run(["import", "routes", folder])
        #expect(run.code == .conflict && run.error.contains("\"loop.gpx\" is not a file inside"), "\(run.error)")
        let path = "<trkpt lat=\"53\" lon=\"0\"/><trkpt lat=\"53.1\" lon=\"0\"/>"
        let gpx = "<gpx><trk><name>Quay</name><trkseg>\(path)</trkseg></trk></gpx>"
        _ = FileManager.default.createFile(atPath: folder + "/quay.gpx", contents: Data(gpx.utf8))
        let both = try await world.run(["import", "routes", folder])
        #expect(both.code == .partial && both.error.contains("\"loop.gpx\" is not a file inside"), "\(both.error)")
        #expect(both.output.contains("quay.gpx"), "\(both.output)")
    }
}
