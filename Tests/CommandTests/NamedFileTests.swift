// Tests what commands say about files that they can't read or write.
import CommandKit
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("Files that command lines name", .databases)
struct NamedFileTests {
    @Test("A missing file and a folder in place of a file are told apart")
    func reading() async throws {
        let world = try await CommandWorld.make()
        // It removes its folders when it goes.
        defer { withExtendedLifetime(world) {} }
        #expect(Failure.unreadable("/nowhere/a.json") == .missing("file /nowhere/a.json"))
        #expect(Failure.unreadable(world.folder).sentence == "\(world.folder) is a folder. Name a file.")
        for arguments in [["media", "create", world.folder], ["import", "feed", world.folder, "--origin", "o"]] {
            let run = try await world.run(arguments)
            #expect(run.code == .conflict && run.error.contains("is a folder. Name a file."), "\(run.error)")
        }
    }

    @Test("An output that is not completed leaves nothing, and one that can't be written says why")
    func writing() async throws {
        let world = try await CommandWorld.make()
        defer { withExtendedLifetime(world) {} }
        let path = world.folder + "/export.jsonl"
        for isFinished in [false, true] {
            let output = try FileOutput(path)
            try output.write(Array("{}\n".utf8))
            #expect(!FileManager.default.fileExists(atPath: path))
            if isFinished { try output.finish() }
            withExtendedLifetime(output) {}
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder).sorted() == ["data", "export.jsonl"])
        let failure = #expect(throws: Failure.self) { try FileOutput(world.folder + "/none/export.jsonl") }
        #expect(failure?.sentence.contains("No such file or directory") == true)
    }

    @Test("Of two outputs to one path, the last that is complete is there, whole, and nothing of the other")
    func atOnce() async throws {
        let world = try await CommandWorld.make()
        defer { withExtendedLifetime(world) {} }
        let path = world.folder + "/export.jsonl"
        func content() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
        let (first, second) = (try FileOutput(path), try FileOutput(path))
        try first.write(Array("first, and long\n".utf8))
        try second.write(Array("second\n".utf8))
        try first.finish()
        #expect(try content() == "first, and long\n")
        try second.finish()
        #expect(try content() == "second\n")
        do {
            let third = try FileOutput(path)
            try third.write(Array("third\n".utf8))
        }
        #expect(try content() == "second\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder).sorted() == ["data", "export.jsonl"])
    }
}
