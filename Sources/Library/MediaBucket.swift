// Keeps the files of images in a bucket of an S3-compatible store.
import Domain
import Fetch
import FoundationEssentials
import Platform

package final class MediaBucket: MediaFiles {
    /// Why the store did not do what it was asked.
    package struct Trouble: Error, CustomStringConvertible {
        package let description: String
    }

    private let endpoint: String
    private let host: String
    private let bucket: String
    private let signature: BucketSignature
    private let client: FetchClient
    /// The most that a file may have.
    private let limit: Int

    /// `endpoint` is scheme, host and port, which the client's policy must allow; the bucket is the first step of paths.
    package init(
        endpoint: String, bucket: String, region: String, keyID: String, secret: Secret, client: FetchClient,
        limit: Int = 64 << 20
    ) {
        self.endpoint = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
        host = self.endpoint.split(separator: "/").last.map(String.init) ?? ""
        self.bucket = bucket
        signature = BucketSignature(keyID: keyID, secret: secret, region: region)
        self.client = client
        self.limit = limit
    }

    package func put(_ bytes: [UInt8], at path: MediaPath) async throws {
        try await demand(ask("PUT", path.text, body: bytes, type: path.type), "store \(path.text)")
    }

    package func content(_ path: MediaPath) async throws -> MediaContent? {
        let answer = try await ask("GET", path.text)
        if answer.status == 404 { return nil }
        try demand(answer, "give \(path.text)")
        return .bytes(answer.body)
    }

    package func size(_ path: MediaPath) async throws -> Int? {
        let answer = try await ask("HEAD", path.text)
        if answer.status == 404 { return nil }
        try demand(answer, "tell the size of \(path.text)")
        return answer.length
    }

    package func remove(_ path: MediaPath) async throws {
        let answer = try await ask("DELETE", path.text)
        if answer.status != 404 { try demand(answer, "remove \(path.text)") }
    }

    package func list(after last: MediaPath?) async throws -> (files: [(path: MediaPath, age: Duration)], isAll: Bool) {
        var query = [(name: "list-type", value: "2"), (name: "max-keys", value: "1000")]
        if let last { query.append((name: "start-after", value: last.text)) }
        let answer = try await ask("GET", "", query: query)
        try demand(answer, "list the bucket \(bucket)")
        let listing = BucketListing(String(decoding: answer.body, as: UTF8.self))
        let now = Date()
        let files = listing.objects.compactMap { object in
            MediaPath(object.key).map { ($0, Duration.seconds(now.timeIntervalSince(object.modified))) }
        }
        // A page of nothing but strangers' files cannot be followed by ours: the bucket belongs to the library.
        return (files, !listing.isCut || files.isEmpty)
    }

    private func ask(
        _ method: String, _ name: String, query: [(name: String, value: String)] = [], body: [UInt8] = [],
        type: String? = nil
    ) async throws -> FetchResponse {
        let path = "/\(bucket)" + (name.isEmpty ? "" : "/\(name)")
        let headers = signature.headers(
            method, host: host, path: path, query: query, body: body, type: type, time: Self.time(Date()))
        var request = FetchRequest(method, headers: headers, body: body)
        request.answerLimit = limit
        request.wholeMilliseconds = 60_000
        let text = BucketSignature.text(of: query)
        let address = endpoint + BucketSignature.encode(path, keeping: "/") + (text.isEmpty ? "" : "?" + text)
        return try await client.send(request, to: address)
    }

    private func demand(_ answer: FetchResponse, _ what: String) throws {
        guard !(200...299).contains(answer.status) else { return }
        let code = BucketListing.content(of: "Code", in: String(decoding: answer.body.prefix(4096), as: UTF8.self))
        let reason = code.map { " (\($0.filter { $0.isLetter }.prefix(60)))" } ?? ""
        throw Trouble(description: "the store would not \(what): it answered \(answer.status)\(reason)")
    }

    /// 20261120T180000Z.
    static func time(_ date: Date) -> String {
        InstantText.text(date).filter { $0 != "-" && $0 != ":" }.prefix(15) + "Z"
    }
}
