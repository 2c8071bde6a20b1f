// Tests the folder of image files: files are always complete, even if the writer was killed.
import FoundationEssentials
import Glibc
import Operations
import Platform
import TestBasics
import TestSupport
import Testing

@Suite("Media folder")
struct MediaFolderTests {
    private let path = FileManager.default.temporaryDirectory.path + "/vitrine-folder-\(UUIDv7.make())"

    @Test("A file is found by its content, listed with its age, and removed")
    func round() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = MediaFolder(path: path)
        let (one, two) = ([UInt8]("one".utf8), [UInt8]("two".utf8))
        let paths = [MediaPath(of: one, type: "image/jpeg"), MediaPath(of: two, type: "image/png")]
        // A command of another user would create a folder that the daemon can't use.
        await #expect(throws: DurableFile.WriteError.self) { try await folder.put(one, at: paths[0]) }
        #expect(!FileManager.default.fileExists(atPath: path))
        try await folder.addIdentity(String(repeating: "a", count: 32))
        try await folder.put(one, at: paths[0])
        try await folder.put(two, at: paths[1])
        try await folder.put(two, at: paths[1])
        #expect(try await folder.size(paths[0]) == 3)
        guard case .file(let place, 3) = try await folder.content(paths[1]) else {
            Issue.record("the file is not there")
            return
        }
        #expect(FileManager.default.contents(atPath: place).map { [UInt8]($0) } == two)
        var listed: [MediaPath] = []
        while true {
            let (files, isAll) = try await folder.list(after: listed.last)
            listed += files.map(\.path)
            if isAll { break }
        }
        #expect(Set(listed) == Set(paths) && listed.count == 2)
        try await folder.remove(paths[0])
        #expect(try await folder.content(paths[0]) == nil)
        try await folder.remove(paths[0])
    }

    @Test(
        "S37: nothing but the name of a file leads into the folder",
        arguments: [
            "", "../secret", "ab/../../etc/passwd", "ab/" + String(repeating: "A", count: 62) + ".jpg",
            "ab/" + String(repeating: "0", count: 62) + ".svg", "ab/" + String(repeating: "0", count: 61) + ".jpg",
            "ab/" + String(repeating: "0", count: 63) + ".jpg", "abc/" + String(repeating: "0", count: 61) + ".jpg",
        ])
    func paths(text: String) {
        #expect(MediaPath(text) == nil)
    }

    @Test("R36: a writer killed at any moment leaves only complete files")
    func killed() async throws {
        let program = ProgramLocation.current.programDirectory + "/platform-probe"
        for round in 0..<8 {
            let folder = "\(path)-\(round)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let child = try ChildProcess(
                program, ["files"], environment: ["FOLDER": folder], output: .nothing, error: .nothing)
            await until("three files are there") {
                ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count >= 3
            }
            // Every round ends at another moment.
            try await Task.sleep(for: .milliseconds(round * 3))
            child.send(SIGKILL)
            _ = await child.wait()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasPrefix(".") {
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)").map { [UInt8]($0) } ?? []
                #expect(SHA256.hex(bytes) == name)
            }
        }
    }
}
