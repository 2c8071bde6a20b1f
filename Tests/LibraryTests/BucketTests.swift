// Tests image files in an S3-compatible store: request signatures, and a server that verifies them.
import Fetch
import FoundationEssentials
import Glibc
import Platform
import TestBasics
import TestSupport
import Testing
@testable import Operations

@Suite("Media bucket", .serialized)
struct BucketTests {
    /// The examples of Amazon's documentation of Signature Version 4 for S3.
    @Test(
        "The documented signature examples are reproduced",
        arguments: [
            ("lifecycle", "", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            ("max-keys", "2", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ])
    func examples(name: String, value: String, signature: String) {
        let signer = BucketSignature(
            keyID: "AKIAIOSFODNN7EXAMPLE", secret: Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1")
        var query = [(name: name, value: value)]
        if name == "max-keys" { query.append((name: "prefix", value: "J")) }
        let headers = signer.headers(
            "GET", host: "examplebucket.s3.amazonaws.com", path: "/", query: query, body: [], time: "20130524T000000Z")
        #expect(headers.last?.value.hasSuffix("Signature=" + signature) == true)
    }

    private func bucket(_ port: Int, secret: String = "a secret / with + signs") throws -> MediaBucket {
        let exception = try #require(FetchPolicy.Exception("127.0.0.1:\(port)"))
        return MediaBucket(
            endpoint: "http://127.0.0.1:\(port)", bucket: "images", region: "eu-central-1", keyID: "KEY",
            secret: Secret(secret),
            client: FetchClient(
                policy: FetchPolicy(allowsHTTP: true, ports: [port], exceptions: [exception]), threads: 2))
    }

    /// Runs a server that verifies every signature with another implementation.
    private func withStore(_ body: (Int) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/vitrine-bucket-\(UUIDv7.make())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let child = try ChildProcess(
            "python3", ["-B", TestDatabase.packageRoot + "/Tests/images/bucket.py", folder + "/port"],
            environment: ["PATH": "/usr/bin:/bin"], output: .nothing, error: .file(folder + "/err"))
        defer { child.send(SIGKILL) }
        var port: Int?
        await until("the server tells its port") {
            port = FileManager.default.contents(atPath: folder + "/port").flatMap {
                Int(String(decoding: $0, as: UTF8.self))
            }
            return port != nil || !child.isRunning
        }
        do {
            try await body(try #require(port))
        } catch {
            child.send(SIGKILL)
            _ = await child.wait()
            throw error
        }
        child.send(SIGKILL)
        _ = await child.wait()
    }

    @Test("Files are stored, read, listed by page and removed with valid signatures")
    func roundTrip() async throws {
        try await withStore { port in
            let bucket = try bucket(port)
            var paths: [MediaPath] = []
            for number in 0..<5 {
                let bytes = [UInt8](repeating: UInt8(number), count: 70_000)
                let path = MediaPath(of: bytes, type: number % 2 == 0 ? "image/jpeg" : "image/png")
                try await bucket.put(bytes, at: path)
                paths.append(path)
            }
            #expect(try await bucket.size(paths[0]) == 70_000)
            guard case .bytes(let bytes) = try await bucket.content(paths[3]) else {
                Issue.record("the file is not there")
                return
            }
            #expect(bytes == [UInt8](repeating: 3, count: 70_000))
            var listed: [MediaPath] = []
            while true {
                let (files, isAll) = try await bucket.list(after: listed.last)
                #expect(files.allSatisfy { $0.age < .seconds(600) && $0.age > .seconds(-600) })
                listed += files.map(\.path)
                if isAll { break }
            }
            #expect(listed == paths.sorted { $0.text < $1.text })
            try await bucket.remove(paths[0])
            try await bucket.remove(paths[0])
            #expect(try await bucket.content(paths[0]) == nil)
            #expect(try await bucket.size(paths[0]) == nil)
        }
    }

    @Test("A refusal or an unreachable store is an error with a reason and without the secret")
    func refused() async throws {
        try await withStore { port in
            let wrong = try bucket(port, secret: "another secret")
            let bytes: [UInt8] = [1, 2, 3]
            let error = await #expect(throws: MediaBucket.RequestFailure.self) {
                try await wrong.put(bytes, at: MediaPath(of: bytes, type: "image/png"))
            }
            let message = try #require(error).description
            #expect(message.contains("403") && message.contains("SignatureDoesNotMatch"))
            #expect(!message.contains("another secret"))
        }
        let unreachable = try bucket(9)
        await #expect(throws: FetchFailure.self) {
            try await unreachable.put([1], at: MediaPath(of: [1], type: "image/png"))
        }
    }
}
